/**
 * `npm run lane -- tripleo` asks Hearth and Heat's own library about the same requests: the
 * templates and environments of TripleO, and the templates of heat-templates. It compares verdicts
 * and texts.
 *
 * HEARTH_TRIPLEO names a checkout of tripleo-heat-templates. HEARTH_HEAT_TEMPLATES optionally names
 * one of heat-templates. HEARTH_HEAT_PYTHONPATH names the folder of an installed openstack-heat,
 * and HEARTH_HEAT_PYTHON its Python. `--only TEXT` selects cases by id. `--all-texts` shows each
 * difference.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startHeat } from "#test/differential/ask-heat.ts";
import { chosenBy } from "#test/lanes/chosen.ts";
import { playLane } from "#test/lanes/play-lane.ts";
import { type Played, readRules } from "#test/oracles/known-differences.ts";
import { openWorld } from "#test/unit/api/api-world.ts";
import { type Case, templateCases, tripleoCases } from "./cases.ts";
import { installedEnvironment } from "./installed-environment.ts";
import { given, type Lane, playVerdicts } from "./play-verdicts.ts";
import { renderTripleo } from "./render.ts";
import { newTally, report } from "./report.ts";

const SCRIPT = fileURLToPath(new URL("heat.py", import.meta.url));
const RULES = new URL("known-differences.json", import.meta.url);

const PROGRESS_CASES = 100;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    "all-texts": { type: "boolean", default: false },
  },
});

const casesIn = (folder: string, python: string, library: string): readonly Case[] => {
  const checkout = given("HEARTH_TRIPLEO", "a checkout of tripleo-heat-templates");
  const others = process.env["HEARTH_HEAT_TEMPLATES"];
  if (!others) console.log("HEARTH_HEAT_TEMPLATES is not set: heat-templates is not played");
  return [
    ...tripleoCases(renderTripleo(checkout, folder, python)),
    ...(others
      ? templateCases(others, "heat-templates", [installedEnvironment(library, folder)])
      : []),
  ];
};

const playAll = async (folder: string): Promise<boolean> => {
  const python = process.env["HEARTH_HEAT_PYTHON"] ?? "python3";
  const library = given("HEARTH_HEAT_PYTHONPATH", "the folder of an installed openstack-heat");
  const { only } = values;
  const cases = chosenBy(only, casesIn(folder, python, library), ({ id }) => id);
  const heat = startHeat(library, python, SCRIPT);
  const { ports } = openWorld();
  const lane: Lane = { heat, ports, tally: newTally() };
  const played: Played[] = [];
  for (const [at, one] of cases.entries()) {
    played.push(...(await playVerdicts(lane, one)).played);
    if (at > 0 && at % PROGRESS_CASES === 0) console.error(`${at} of ${cases.length} requests`);
  }
  heat.end();
  return report({
    rules: readRules(RULES),
    played,
    tally: lane.tally,
    // The rules contain cases of both repositories.
    isComplete: only === undefined && Boolean(process.env["HEARTH_HEAT_TEMPLATES"]),
    showsAll: values["all-texts"],
  });
};

await playLane("tripleo", playAll);
