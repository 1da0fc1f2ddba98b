/**
 * `npm run test:package` packs the package, installs it outside the repository with each Node on
 * which it must run, and uses it there: the demo, a host, a stack and two agents. It needs the npm
 * registry for the Nodes only. `-- --node 24` uses one of them. The last line has the counts.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import type { Check } from "../crash/checks.ts";
import { openTally } from "../crash/tally.ts";
import { installPackage } from "./installed.ts";
import { installedChecks, withHost, withoutHost } from "./life.ts";
import { installNode, NODES } from "./nodes.ts";
import { packRepository } from "./tarball.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const { values } = parseArgs({ options: { node: { type: "string" } } });
const versions = values.node === undefined ? NODES : [values.node];

const folder = mkdtempSync(join(tmpdir(), "hearth-package-"));
const tally = openTally();

async function* checksOn(version: string, tarball: string): AsyncGenerator<Check> {
  const place = join(folder, version);
  mkdirSync(place);
  const nodes = await installNode(version);
  const installed = await installPackage(tarball, manifest.name, nodes, place);
  yield* installedChecks(installed);
  yield* withoutHost(installed, manifest.version);
  yield* withHost(installed);
}

/** A failure ends the checks of this Node, and counts as one. */
const checkOn = async (version: string, tarball: string): Promise<void> => {
  const named = ({ name, wrong }: Check): Check => ({ name: `Node ${version}: ${name}`, wrong });
  try {
    for await (const check of checksOn(version, tarball)) tally.report([named(check)]);
  } catch (error) {
    tally.report([named({ name: "the run finishes", wrong: [String(error)] })]);
  }
};

try {
  const { path, checks } = await packRepository(ROOT, folder);
  tally.report(checks);
  for (const version of versions) await checkOn(version, path);
} catch (error) {
  tally.report([{ name: "the run finishes", wrong: [String(error)] }]);
}
if (tally.failed === 0) rmSync(folder, { recursive: true });
else console.log(`The installations are kept in ${folder}`);
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed === 0 ? 0 : 1;
