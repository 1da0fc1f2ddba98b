/**
 * `npm run lane -- public` plays public templates: Heat's own library and Hearth must give the same
 * verdict. If both accept a template, Hearth creates a stack with stubs, updates it and deletes it.
 *
 * HEARTH_PUBLIC_TEMPLATES names the folder of the repositories, each as `owner/name`.
 * HEARTH_HEAT_PYTHONPATH names the folder of an installed openstack-heat, and HEARTH_HEAT_PYTHON
 * its Python. `--only TEXT` selects templates by id. `--packages FOLDER` plays those of Python
 * packages instead, which `pip install --target FOLDER` has installed.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startHeat } from "#test/differential/ask-heat.ts";
import { chosenBy } from "#test/lanes/chosen.ts";
import { playLane } from "#test/lanes/play-lane.ts";
import { type Played, readRules } from "#test/oracles/known-differences.ts";
import { installedEnvironment } from "#test/tripleo/installed-environment.ts";
import { given, type Lane, playVerdicts } from "#test/tripleo/play-verdicts.ts";
import { newTally, report } from "#test/tripleo/report.ts";
import { openWorld } from "#test/unit/api/api-world.ts";
import { type Rehearsal, reportRehearsals } from "./rehearsals.ts";
import { rehearse } from "./rehearse.ts";
import { type PublicTemplate, packagedTemplates, publicTemplates } from "./templates.ts";

const SCRIPT = fileURLToPath(new URL("../tripleo/heat.py", import.meta.url));
const RULES = new URL("known-differences.json", import.meta.url);
const PACKAGES_RULES = new URL("packages-known-differences.json", import.meta.url);
const PROGRESS_TEMPLATES = 100;

const { values } = parseArgs({
  options: { only: { type: "string" }, packages: { type: "string" } },
});

interface Run extends Lane {
  readonly environments: readonly string[];
  readonly played: Played[];
  readonly rehearsals: Rehearsal[];
}

const play = async (run: Run, { id, path }: PublicTemplate): Promise<void> => {
  const asked = { id, root: path, environments: run.environments };
  const { request, played, isAccepted } = await playVerdicts(run, asked);
  run.played.push(...played);
  if (isAccepted) run.rehearsals.push({ id, why: await rehearse(request) });
};

const playAll = async (folder: string): Promise<boolean> => {
  const python = process.env["HEARTH_HEAT_PYTHON"] ?? "python3";
  const library = given("HEARTH_HEAT_PYTHONPATH", "the folder of an installed openstack-heat");
  const { only, packages } = values;
  const all =
    packages === undefined
      ? publicTemplates(given("HEARTH_PUBLIC_TEMPLATES", "the folder of the repositories"))
      : packagedTemplates(packages);
  const templates = chosenBy(only, all, ({ id }) => id);
  const heat = startHeat(library, python, SCRIPT);
  const { ports } = openWorld();
  const environments = [installedEnvironment(library, folder)];
  const run: Run = { heat, ports, environments, tally: newTally(), played: [], rehearsals: [] };
  for (const [index, template] of templates.entries()) {
    await play(run, template);
    if (index > 0 && index % PROGRESS_TEMPLATES === 0) {
      console.error(`${index} of ${templates.length} templates`);
    }
  }
  heat.end();
  const areEqual = report({
    rules: readRules(packages === undefined ? RULES : PACKAGES_RULES),
    played: run.played,
    tally: run.tally,
    isComplete: only === undefined,
    showsAll: true,
  });
  return reportRehearsals(run.rehearsals) && areEqual;
};

await playLane("public", playAll);
