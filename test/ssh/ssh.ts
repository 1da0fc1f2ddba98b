/**
 * `npm run lane -- ssh`: a real sshd and a real systemd, in namespaces that end with the run. It
 * needs root and Debian's packages; without them, a line says why nothing was run. `-- --short`
 * kills each process at one moment, cuts connections in one way, and plays a part of the
 * containers.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openTally } from "../crash/tally.ts";
import { figuresLine } from "../lanes/figures.ts";
import { playLane } from "../lanes/play-lane.ts";
import { DELAYS_MS, FAULTS, playContainerKills } from "./container-kills.ts";
import {
  addImages,
  CUT_MOMENTS_MS,
  containersOf,
  playContainerCuts,
  playContainers,
} from "./container-play.ts";
import { startCuttingTcp } from "./cutting-tcp.ts";
import { ENGINES, playEngines, playImages } from "./engine-play.ts";
import { playHost } from "./host-play.ts";
import { KILLS_MS, playKills } from "./kills.ts";
import { startMachine, whyNoMachine } from "./machine.ts";
import { playPage } from "./page.ts";
import { CUTS, playCuts, playKit, playRefusals, playSudo, whatIsLeft } from "./provider-play.ts";
import { playScripts } from "./scripts-play.ts";

const PORT = 20_022;
/** The port stays the same, so that agents poll the host again after a kill. */
const HOST_PORT = 20_023;
const STORIES_SHORT_MAX = 2;

const { short } = parseArgs({ options: { short: { type: "boolean", default: false } } }).values;
const part = <One>(all: readonly One[]): readonly One[] => (short ? all.slice(0, 1) : all);

await playLane("ssh", async (folder) => {
  const why = whyNoMachine();
  if (why !== null) {
    console.log(`ssh: not run: ${why}`);
    return true;
  }
  const tally = openTally();
  const machine = await startMachine(folder, PORT);
  const nothingIsLeft = (before: readonly string[]): number => {
    const containers = containersOf(machine);
    const wrong = [...whatIsLeft(machine, before), ...(containers === "" ? [] : [containers])];
    tally.report([{ name: "nothing is left", wrong }]);
    return wrong.length;
  };
  try {
    if (!(await addImages(machine, folder))) throw new Error("no image can be built here");
    const before = machine.files();
    tally.report(playScripts(machine));
    tally.report(playContainers(machine, short ? STORIES_SHORT_MAX : Infinity));
    tally.report(playContainerCuts(machine, part(CUT_MOMENTS_MS)));
    if (!short) {
      tally.report(await playImages(machine));
      tally.report(playEngines(machine, ENGINES));
    }
    const page = join(folder, "page");
    mkdirSync(page);
    tally.report(await playPage(machine, page));
    nothingIsLeft(before);
    const killed = await playKills(machine, page, HOST_PORT, part(KILLS_MS));
    tally.report(killed.results);
    const story = { machine, folder: page, port: HOST_PORT };
    const ofContainers = await playContainerKills(story, part(FAULTS), part(DELAYS_MS));
    tally.report(ofContainers);
    if (!short) tally.report(await playHost(machine, page));
    tally.report(await playKit(machine));
    nothingIsLeft(before);
    tally.report(await playSudo(machine));
    tally.report(await playRefusals(machine));
    const proxy = await startCuttingTcp(machine.port);
    let faults = killed.faults + ofContainers.length;
    for (const cut of part(CUTS)) {
      const played = await playCuts(machine, proxy, cut);
      tally.report([played]);
      faults += played.faults;
    }
    await proxy.stop();
    console.log(figuresLine({ faults, left: nothingIsLeft(before) }));
  } finally {
    await machine.stop();
  }
  console.log(`ssh: ${tally.passed} passed, ${tally.failed} failed`);
  return tally.isGreen;
});
