import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Result } from "../contract/spoilt-operations.ts";
import { openTally } from "../crash/tally.ts";
import { figuresLine } from "../lanes/figures.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { playEngine } from "./engine-suite.ts";
import { ENGINE_KINDS, type EngineKind, startEngine } from "./engines.ts";
import { playTemplates } from "./example.ts";
import { playHandover } from "./handover-play.ts";
import { importImages } from "./images.ts";
import { objectsAt, playEngineKills } from "./kills.ts";
import { playPage } from "./page.ts";
import {
  KIT_CASES,
  playFaults,
  playKit,
  playNetworkFaults,
  SPOILT_RECORDS,
  SPOILT_SERVER,
} from "./provider-play.ts";

const HOLD_MS = 600;
const DEMO = fileURLToPath(new URL("../../examples/two-tier/demo.ts", import.meta.url));
const DEMO_PATIENCE = 4;
const CIDR = "10.87.0.0/24";

const [given = "", folder = "", part = "all"] = process.argv.slice(2);
const kind: EngineKind | undefined = ENGINE_KINDS.find((one) => one === given);
if (kind === undefined) throw new Error(`usage: play.ts ${ENGINE_KINDS.join("|")} FOLDER [kills]`);

/** Podman 4.3 cannot change limits, so servers are not changed in place. */
const kitCases =
  kind === "docker"
    ? KIT_CASES
    : KIT_CASES.map(({ changed, ...rest }) =>
        rest.type === "OS::Nova::Server" || changed === undefined ? rest : { ...rest, changed },
      );

/** `playPage` has put the engine into DOCKER_HOST. */
const playDemo = (): Result => {
  const words = [DEMO, "--servers", "docker", "--patience", String(DEMO_PATIENCE)];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: "utf8" });
  const failed = stdout.split("\n").filter((line) => line.includes("FAILED"));
  const isWhole = status === 0 && stdout.includes("no server is left");
  return { name: "the demo with --servers docker", wrong: isWhole ? [] : [`${status}`, ...failed] };
};

const tally = openTally();
const running = await startEngine(kind, folder);
const { engine, socketPath, stop } = running;

const playProvider = async (): Promise<number> => {
  tally.report(await playEngine(engine));
  const place = join(folder, kind, "page");
  mkdirSync(place);
  tally.report(await playPage(socketPath, place));
  for await (const result of playTemplates(kind, socketPath, place)) tally.report([result]);
  if (kind === "docker") tally.report([playDemo()]);
  for (const one of kitCases) tally.report(await playKit(socketPath, one));
  const proxy = await startCuttingProxy(socketPath, join(folder, kind, "proxy.sock"), HOLD_MS);
  for (const one of [SPOILT_SERVER, ...SPOILT_RECORDS]) {
    tally.report(await playFaults(socketPath, proxy, one));
  }
  tally.report(await playNetworkFaults(socketPath, proxy, CIDR));
  await proxy.stop();
  tally.report(await playHandover(socketPath, CIDR));
  return proxy.faults();
};

try {
  await importImages(engine, folder);
  const spoilt = part === "kills" ? 0 : await playProvider();
  const killed = await playEngineKills(kind, running, join(folder, kind));
  tally.report(killed.results);
  const left = await objectsAt(socketPath);
  tally.report([{ name: "no object is left over", wrong: left }]);
  console.log(figuresLine({ faults: spoilt + killed.faults, left: left.length }));
} catch (error) {
  const wrong = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  tally.report([{ name: "the run comes to its end", wrong }]);
}
stop();
console.log(`${kind}: ${tally.passed} passed, ${tally.failed} failed`);
process.exit(tally.failed === 0 ? 0 : 1);
