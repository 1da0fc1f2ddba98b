/**
 * `npm run prove` searches the configurations and then makes random runs, on all processors. It
 * keeps its results in .data/prove and does not repeat them until the engine or its simulation
 * changes. In the end it plays lives of groups and of deployments, and decades of hosts. `--states
 * 0`, `--runs 0`, `--groups 0`, `--deployments 0` and `--decades 0` each skip one part. `--health
 * N` searches the lives of objects that drift, with N requests each. `--from` is the first
 * configuration, or the first seed of the lives.
 */
import { parseArgs } from "node:util";
import * as z from "zod";
import { searchHealth } from "../simulation/health/search-all.ts";
import { searchAll } from "./exhaustive.ts";
import { liveDeployments } from "./lives/deployment-lives.ts";
import { liveGroups } from "./lives/group-lives.ts";
import { runRandomly } from "./random.ts";

const STATES = 100_000_000;
/**
 * With a larger limit, the first two hundred configurations would leave nothing for most of the
 * rules.
 */
const STATES_OF_ONE_MAX = 1_000_000;
const RUNS = 10_000_000;
const LIVES = 1_000;
const DECADES = 500;

const { values } = parseArgs({
  options: {
    states: { type: "string" },
    each: { type: "string" },
    from: { type: "string" },
    only: { type: "string" },
    runs: { type: "string" },
    groups: { type: "string" },
    deployments: { type: "string" },
    decades: { type: "string" },
    servers: { type: "string" },
    health: { type: "string" },
  },
});

const count = z.coerce.number().int().min(0);
const statesMax = count.parse(values.states ?? STATES);
const runsMax = count.parse(values.runs ?? RUNS);
const groupsMax = count.parse(values.groups ?? LIVES);
const deploymentsMax = count.parse(values.deployments ?? LIVES);
const decadesMax = count.parse(values.decades ?? DECADES);
const healthMax = count.parse(values.health ?? 0);
const first = count.parse(values.from ?? 1);
const serversOfDecade = values.servers === undefined ? undefined : count.parse(values.servers);
if (statesMax + runsMax + groupsMax + deploymentsMax + decadesMax + healthMax === 0) {
  throw new Error(
    "--states 0, --runs 0, --groups 0, --deployments 0 and --decades 0 leave nothing to play",
  );
}
let broken = 0;
if (statesMax > 0) {
  const each = count.parse(values.each ?? STATES_OF_ONE_MAX);
  broken += await searchAll({
    statesMax,
    each,
    from: count.parse(values.from ?? 0),
    only: values.only,
  });
}
if (runsMax > 0) broken += await runRandomly(runsMax);
if (groupsMax > 0) broken += await liveGroups(groupsMax);
if (deploymentsMax > 0) broken += await liveDeployments("deployments", deploymentsMax, first);
if (healthMax > 0) broken += await searchHealth(healthMax);
if (decadesMax > 0) broken += await liveDeployments("decades", decadesMax, first, serversOfDecade);
process.exitCode = broken > 0 ? 1 : 0;
