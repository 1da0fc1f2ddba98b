/**
 * `npm run test:providers` plays the lanes of all providers one after the other. It ends with a
 * line for each, and with the sum of their faults and of what is left over. `-- --only
 * docker,podman` plays some of them. A lane that cannot run here has not passed, and its line says
 * what it needs.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { type Figures, figuresIn, figuresLine } from "../lanes/figures.ts";

const LANES = {
  "plug-ins": { script: ["test:plug-ins"], needs: "python3" },
  docker: {
    script: ["test:docker", "--only", "docker"],
    needs: "root, namespaces, control groups, Debian's packages docker.io and busybox-static",
  },
  podman: {
    script: ["test:docker", "--only", "podman"],
    needs: "what docker needs, Debian's packages podman and crun",
  },
  ssh: { script: ["test:ssh"], needs: "root, namespaces, Debian's systemd and openssh-server" },
  ec2: { script: ["test:ec2"], needs: "python3 with pip, which installs moto" },
  "cloud-control": { script: ["test:cloud-control"], needs: "nothing else" },
  openstack: {
    script: ["test:openstack"],
    needs: "nothing for the double; HEARTH_OPENSTACK for real services",
  },
} as const;
type Lane = keyof typeof LANES;
const NAMES = Object.keys(LANES);
const isLane = (name: string): name is Lane => NAMES.includes(name);

/** The last line of this form says what a lane did, or why it did nothing. */
const RESULT = /^.*(?:not run: |\d+ passed).*$/gm;
const NO_FIGURES: Figures = { faults: 0, left: 0 };

interface Result {
  readonly hasPassed: boolean;
  readonly text: string;
  readonly figures: Figures;
}

const play = async (lane: Lane): Promise<Result> => {
  const [script, ...options] = LANES[lane].script;
  const child = spawn("npm", ["run", "--silent", script, "--", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (bytes: Buffer) => {
    process.stdout.write(bytes);
    text += bytes.toString();
  });
  const [code] = await once(child, "close");
  const said = text.match(RESULT)?.at(-1);
  const figures = figuresIn(text);
  const hasRun = code === 0 && said !== undefined && !said.includes("not run: ");
  // A lane without faults has shown nothing.
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
