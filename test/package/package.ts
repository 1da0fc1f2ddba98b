/**
 * `npm run lane -- package` packs the package and installs it outside the repository, with each
 * Node on which it must run. There it uses the demo, a host, a stack and two agents. It also makes
 * a release and uses its single file in the same way. With Node 20 it plays the first block of
 * README in a fresh clone, and the refusal of the installed command. It needs the npm registry, for
 * the Nodes and for the clone. `--node 24` plays one of them.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import type { Check } from "../crash/checks.ts";
import { openTally } from "../crash/tally.ts";
import { CLONE_NODE, cloneChecks, refusalChecks } from "./clone.ts";
import { installPackage, withEnvironment } from "./installed.ts";
import { installedChecks, withHost, withoutHost } from "./life.ts";
import { installNode, NODES } from "./nodes.ts";
import { providerChecks } from "./provider.ts";
import { makeRelease } from "./release.ts";
import { packRepository } from "./tarball.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The checks need templates to read and a Node for an agent, which the single file does not
 * contain.
 */
const NODE_BESIDE_SINGLE = "24";

const RUN_MS_MAX = 1_800_000;

const { values } = parseArgs({ options: { node: { type: "string" } } });
const isOnlyClone = values.node === CLONE_NODE;
const given = values.node === undefined ? NODES : [values.node];
const versions = given.filter((version) => version !== CLONE_NODE);

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

async function* checksOnOldNode(tarball: string): AsyncGenerator<Check> {
  const place = join(folder, "old");
  mkdirSync(place);
  const nodes = await installNode(CLONE_NODE);
  yield* cloneChecks(ROOT, nodes, place);
  yield* refusalChecks(tarball, manifest.name, nodes, place);
}

async function* checksOfSingle(single: string): AsyncGenerator<Check> {
  const place = join(folder, "single");
  const bin = join(place, "bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(single, join(bin, "hearth"));
  const nodes = await installNode(NODE_BESIDE_SINGLE);
  const environment = { PATH: [bin, nodes, "/usr/bin", "/bin"].join(delimiter), HOME: place };
  const files = { folder: place, packageFolder: ROOT, bytes: 0, warnings: [] };
  const installed = withEnvironment(files, environment);
  yield* withoutHost(installed, manifest.version);
  yield* withHost(installed);
}

const checkAll = async (title: string, checks: AsyncGenerator<Check>): Promise<void> => {
  const named = ({ name, wrong }: Check): Check => ({ name: `${title}: ${name}`, wrong });
  try {
    for await (const check of checks) tally.report([named(check)]);
  } catch (error) {
    tally.report([named({ name: "the run finishes", wrong: [String(error)] })]);
  }
};

const finish = (failure?: string): never => {
  if (failure !== undefined) tally.report([{ name: "the run finishes", wrong: [failure] }]);
  if (tally.failed === 0) rmSync(folder, { recursive: true });
  else console.log(`The installations are kept in ${folder}`);
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  process.exit(tally.isGreen ? 0 : 1);
};

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => finish(signal));
setTimeout(() => finish("the run takes too long"), RUN_MS_MAX);

try {
  const { path, checks } = await packRepository(ROOT, folder);
  tally.report(checks);
  for (const version of versions) await checkAll(`Node ${version}`, checksOn(version, path));
  if (values.node === undefined || isOnlyClone) {
    await checkAll(`Node ${CLONE_NODE}`, checksOnOldNode(path));
  }
  if (isOnlyClone) finish();
  const release = await makeRelease(ROOT, manifest.name, manifest.version);
  tally.report(release.checks);
  await checkAll("one file", checksOfSingle(release.single));
  await checkAll("@hearth/provider", providerChecks(release.provider, join(folder, "provider")));
  finish();
} catch (error) {
  finish(String(error));
}
