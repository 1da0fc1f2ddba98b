/** Templates of openstack/heat-templates, unmodified, if HEARTH_HEAT_TEMPLATES names a checkout. */
import { existsSync } from "node:fs";
import { join } from "node:path";

const EXAMPLES = "hot/software-config/example-templates";
const { HEARTH_HEAT_TEMPLATES: checkout = "" } = process.env;

export const hasHeatTemplates = (): boolean => {
  const has = existsSync(join(checkout, EXAMPLES));
  if (!has) {
    console.log(
      "heat-templates: not played: HEARTH_HEAT_TEMPLATES names no checkout of openstack/heat-templates",
    );
  }
  return has;
};

export const heatTemplate = (path: string): string => join(checkout, path);

export const heatExample = (name: string): string => join(checkout, EXAMPLES, name);
