/**
 * `npm run lane -- providers` plays the lanes of all providers one after the other. It ends with a
 * line for each, and with the sums of their faults and of objects left over. `--only docker,podman`
 * plays some of them. A lane that cannot run here has not passed, and its line says what it needs.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { type Figures, figuresIn, figuresLine } from "../lanes/figures.ts";

const LANES = {
  "plug-ins": { lane: ["plug-ins"], needs: "python3" },
  docker: {
    lane: ["docker", "--only", "docker"],
    needs: "root, namespaces, control groups, Debian's packages docker.io and busybox-static",
  },
  podman: {
    lane: ["docker", "--only", "podman"],
    needs: "what docker needs, Debian's packages podman and crun",
  },
  ssh: { lane: ["ssh"], needs: "root, namespaces, Debian's systemd and openssh-server" },
  ec2: { lane: ["ec2"], needs: "python3 with pip, which installs moto" },
  "cloud-control": { lane: ["cloud-control"], needs: "nothing else" },
  openstack: { lane: ["openstack"], needs: "nothing else: it is the double" },
  "openstack-services": {
    lane: ["openstack"],
    needs: "HEARTH_OPENSTACK, the file that test/openstack/services/start.sh has written",
  },
} as const;
type Lane = keyof typeof LANES;
const NAMES = Object.keys(LANES);
const isLane = (name: string): name is Lane => NAMES.includes(name);

/** The last line of this form says what a lane did, or why it did nothing. */
const RESULT = /^.*(?:not run: |\d+ passed).*$/gm;
const NO_FIGURES: Figures = { faults: 0, left: 0 };
const { HEARTH_OPENSTACK: services = "", ...environment } = process.env;

interface Result {
  readonly hasPassed: boolean;
  readonly text: string;
  readonly figures: Figures;
}

/**
 * start.sh starts the services in a network namespace of its own. Other services are reached
 * directly.
 */
const enterServices = (): readonly string[] => {
  const file = join(dirname(services), "run", "namespace");
  if (!existsSync(file)) return [];
  return ["nsenter", `--net=/proc/${readFileSync(file, "utf8").trim()}/ns/net`];
};

const startLane = (lane: Lane) => {
  const options = LANES[lane].lane;
  const isReal = lane === "openstack-services";
  const words = ["npm", "run", "--silent", "lane", "--", ...options];
  const [command = "", ...rest] = [...(isReal ? enterServices() : []), ...words];
  return spawn(command, rest, {
    stdio: ["ignore", "pipe", "inherit"],
    env: isReal ? { ...environment, HEARTH_OPENSTACK: services } : environment,
  });
};

const play = async (lane: Lane): Promise<Result> => {
  if (lane === "openstack-services" && services === "") {
    return { hasPassed: false, text: "not run: no services are named", figures: NO_FIGURES };
  }
  const child = startLane(lane);
  let text = "";
  child.stdout.on("data", (bytes: Buffer) => {
    process.stdout.write(bytes);
    text += bytes.toString();
  });
  const [code] = await once(child, "close");
  const said = text.match(RESULT)?.at(-1);
  const figures = figuresIn(text);
  const hasRun = code === 0 && said !== undefined && !said.includes("not run: ");
  // A lane without faults proves nothing.
  const hasPassed = hasRun && figures !== null && figures.faults > 0 && figures.left === 0;
  const told = figures === null ? "no figures" : figuresLine(figures);
  const result = `${said ?? "it says no result"}; ${told}`;
  return { hasPassed, text: result, figures: figures ?? NO_FIGURES };
};

const { values } = parseArgs({ options: { only: { type: "string" } } });
const asked = values.only?.split(",") ?? NAMES;
const unknown = asked.filter((name) => !isLane(name));
if (unknown.length > 0) throw new Error(`--only takes ${NAMES.join(", ")}, not ${unknown}`);

const results = new Map<Lane, Result>();
for (const lane of asked.filter(isLane)) results.set(lane, await play(lane));
console.log("");
for (const [lane, { hasPassed, text }] of results) {
  console.log(`${lane}: ${hasPassed ? "passed" : "NOT PASSED"}: ${text}`);
  console.log(`  it needs: ${LANES[lane].needs}`);
}
const all = [...results.values()];
const passed = all.filter(({ hasPassed }) => hasPassed).length;
const faults = all.reduce((sum, { figures }) => sum + figures.faults, 0);
const left = all.reduce((sum, { figures }) => sum + figures.left, 0);
console.log(`${passed} of ${NAMES.length} lanes passed`);
console.log(figuresLine({ faults, left }));
process.exitCode = passed === all.length ? 0 : 1;
