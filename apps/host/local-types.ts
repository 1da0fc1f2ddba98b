/** The resource types of this version without a host. They can be checked and not created. */
import type { AssessPorts } from "#lib/authoring/assess.ts";
import { unusedBackEnds } from "#lib/authoring/known-types.ts";
import { resourceTypes, withResourceTypes } from "#lib/resources/registry.ts";
import type { Plugin } from "./plugins/load-plugin.ts";
import { providedTypes } from "./plugins/provided-types.ts";

export const localTypes = (plugins: readonly Plugin[] = []): AssessPorts => {
  const { ports, ...backEnds } = unusedBackEnds();
  const provided = providedTypes({ plugins }, ports.clock, () => null);
  return withResourceTypes(ports, (engine) => resourceTypes({ engine, ...backEnds }, provided));
};
