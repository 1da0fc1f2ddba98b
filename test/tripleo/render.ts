import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const SCRIPT = join("tools", "process-templates.py");

export const renderTripleo = (checkout: string, folder: string, python: string): string => {
  if (!existsSync(join(checkout, SCRIPT))) {
    throw new Error(`HEARTH_TRIPLEO is no checkout of tripleo-heat-templates: no ${SCRIPT}`);
  }
  const rendered = join(folder, "tripleo");
  const { status, stderr, error } = spawnSync(python, [SCRIPT, "-o", rendered], {
    cwd: checkout,
    encoding: "utf8",
    env: { ...process.env, PYTHONPATH: process.env["HEARTH_HEAT_PYTHONPATH"] },
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (error) throw new Error(`${python} does not start: ${error.message}`);
  const [, missing] = /No module named '([^']+)'/.exec(stderr) ?? [];
  if (missing) throw new Error(`${SCRIPT} of TripleO needs Python's ${missing}: install it`);
  if (status !== 0) throw new Error(`${SCRIPT} of TripleO fails: ${stderr}`);
  return rendered;
};
