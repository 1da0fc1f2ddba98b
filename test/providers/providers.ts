/**
 * `npm run test:providers` plays the lanes of all providers one after the other, and ends with a
 * line for each. `-- --only docker,podman` plays some of them. A lane that cannot run here has not
 * passed, and its line says what it needs.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";

const LANES = {
  docker: ["test:docker", "--only", "docker"],
  podman: ["test:docker", "--only", "podman"],
  ssh: ["test:ssh"],
  ec2: ["test:ec2"],
  "cloud-control": ["test:cloud-control"],
  openstack: ["test:openstack"],
} as const;
type Lane = keyof typeof LANES;
const NAMES = Object.keys(LANES);
const isLane = (name: string): name is Lane => NAMES.includes(name);

/** The last line of this form says what a lane did, or why it did nothing. */
const RESULT = /^.*(?:not run: |\d+ passed).*$/gm;
const LEFT = /objects left over: \d+/g;

interface Result {
  readonly hasPassed: boolean;
  readonly text: string;
}

const play = async (lane: Lane): Promise<Result> => {
  const [script, ...options] = LANES[lane];
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
  const hasPassed = code === 0 && said !== undefined && !said.includes("not run: ");
  const left = text.match(LEFT)?.slice(-1) ?? [];
  return { hasPassed, text: [said ?? "it says no result", ...left].join("; ") };
};

const { values } = parseArgs({ options: { only: { type: "string" } } });
const asked = values.only?.split(",") ?? NAMES;
const unknown = asked.filter((name) => !isLane(name));
if (unknown.length > 0) throw new Error(`--only takes ${NAMES.join(", ")}, not ${unknown}`);

const results = new Map<Lane, Result>();
for (const lane of asked.filter(isLane)) results.set(lane, await play(lane));
for (const [lane, { hasPassed, text }] of results)
  console.log(`${lane}: ${hasPassed ? "passed" : "NOT PASSED"}: ${text}`);
process.exitCode = [...results.values()].every(({ hasPassed }) => hasPassed) ? 0 : 1;
