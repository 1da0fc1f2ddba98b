/** Plays one engine. `docker.ts` starts this program in namespaces of its own. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { containersOf } from "#providers/docker/engine/containers.ts";
import { LABELS } from "#providers/docker/objects.ts";
import type { Result } from "../contract/spoilt-operations.ts";
import { openTally } from "../crash/tally.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { playEngine } from "./engine-suite.ts";
import { ENGINE_KINDS, type EngineKind, startEngine } from "./engines.ts";
import { importImages } from "./images.ts";
import { playPage } from "./page.ts";
import {
  KIT_CASES,
  playFaults,
  playKit,
  playNetworkFaults,
  SPOILT_RECORDS,
  SPOILT_SERVER,
} from "./provider-play.ts";

/** Longer than a call of a busy engine takes. */
const HOLD_MS = 600;
const DEMO = fileURLToPath(new URL("../../examples/two-tier/demo.ts", import.meta.url));
/** The machine of a lane may be busy. */
const DEMO_PATIENCE = 4;
const CIDR = "10.87.0.0/24";

const [given = "", folder = ""] = process.argv.slice(2);
const kind: EngineKind | undefined = ENGINE_KINDS.find((one) => one === given);
if (kind === undefined) throw new Error(`usage: play.ts ${ENGINE_KINDS.join("|")} FOLDER`);

/** Podman 4.3 cannot change limits, so there is no change in place. */
const kitCases =
  kind === "docker"
    ? KIT_CASES
    : KIT_CASES.map(({ changed, ...rest }) =>
        rest.type === "OS::Nova::Server" || changed === undefined ? rest : { ...rest, changed },
      );

/** `playPage` has named the engine in DOCKER_HOST. */
const playDemo = (): Result => {
  const words = [DEMO, "--servers", "docker", "--patience", String(DEMO_PATIENCE)];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: "utf8" });
  const failed = stdout.split("\n").filter((line) => line.includes("FAILED"));
  const isWhole = status === 0 && stdout.includes("no server is left");
  return { name: "the demo with --servers docker", wrong: isWhole ? [] : [`${status}`, ...failed] };
};

const tally = openTally();
const { engine, socketPath, stop } = await startEngine(kind, folder);
try {
  await importImages(engine, folder);
  tally.report(await playEngine(engine));
  const place = join(folder, kind, "page");
  mkdirSync(place);
  tally.report(await playPage(socketPath, place));
  if (kind === "docker") tally.report([playDemo()]);
  for (const one of kitCases) tally.report(await playKit(socketPath, one));
  const proxy = await startCuttingProxy(socketPath, join(folder, kind, "proxy.sock"), HOLD_MS);
  for (const one of [SPOILT_SERVER, ...SPOILT_RECORDS]) {
    tally.report(await playFaults(socketPath, proxy, one));
  }
  tally.report(await playNetworkFaults(socketPath, proxy, CIDR));
  await proxy.stop();
  const left = await containersOf(engine).labelsOf({ [LABELS.kind]: "server" });
  const wrong = left.length === 0 ? [] : [`${left.length} servers are left`];
  tally.report([{ name: "no server is left", wrong }]);
} catch (error) {
  const wrong = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  tally.report([{ name: "the run comes to its end", wrong }]);
}
stop();
console.log(`${kind}: ${tally.passed} passed, ${tally.failed} failed`);
process.exit(tally.failed === 0 ? 0 : 1);
