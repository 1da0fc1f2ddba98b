/**
 * `npm run lane -- openstack`: the provider of OpenStack, the page and OpenStack's own example. It
 * plays on real services if HEARTH_OPENSTACK names the file that test/openstack/services/start.sh
 * has written, otherwise on the double, and says which. HEARTH_HEAT_TEMPLATES names a checkout of
 * openstack/heat-templates, for the example. `--only` plays `page` (with the example), `kills`,
 * `handover` (servers at one port) or one type.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Result, Step } from "../contract/spoilt-operations.ts";
import { openTally, type Tally } from "../crash/tally.ts";
import { startServe } from "../integration/host/serve-process.ts";
import { mustName } from "../lanes/chosen.ts";
import { figuresLine } from "../lanes/figures.ts";
import { hasHeatTemplates } from "../lanes/heat-templates.ts";
import { playCommands, preparePage, wordsAfter } from "../lanes/page-commands.ts";
import { playLane } from "../lanes/play-lane.ts";
import { playExample } from "./example-play.ts";
import { playHandover } from "./handover-play.ts";
import { playCloudKills } from "./kills.ts";
import { startMachines } from "./machines.ts";
import {
  ATTACHMENT_CASE,
  CASES,
  DEVICE_CASE,
  leftOver,
  PLAYED_TYPES,
  type PlayCase,
  playKit,
  playSpoilt,
  SUBNET_CASE,
  withAttachable,
  withFixture,
  withOne,
} from "./provider-play.ts";
import { openStage, type PlayedStage } from "./stages.ts";

const PAGE = new URL("../../docs/run-on-openstack.md", import.meta.url);
const SERVE = "hearth serve --openstack ";
const FILE = "projects.json";
const PARTS = ["page", "kills", "handover"];
const EXAMPLE_MS_MAX = 300_000;
const KEY: PlayCase = {
  type: "OS::Nova::KeyPair",
  properties: { name: "example-key", save_private_key: true },
};

const playPage = async (played: PlayedStage, folder: string): Promise<readonly Result[]> => {
  const blocks = preparePage(PAGE, folder);
  const words = wordsAfter(blocks, SERVE);
  if (words.join(" ") !== FILE) throw new Error("the page starts the host in another way");
  const host = await startServe("--memory", "--openstack", played.file);
  const machines = startMachines(played.administrator, join(folder, "machines"));
  const environment = { HEARTH_ENDPOINT: host.url, HOME: folder };
  try {
    const results = [...(await playCommands({ folder, environment }, blocks))];
    if (hasHeatTemplates()) {
      const { url } = host;
      const msMax = EXAMPLE_MS_MAX;
      results.push(
        ...(await withOne(played.stage, KEY, (keyName) => playExample({ url, keyName, msMax }))),
      );
    }
    return results;
  } finally {
    await machines.stop();
    await host.stop("SIGTERM");
  }
};

const playTypes = async (
  { stage }: PlayedStage,
  tally: Tally,
  only: string | undefined,
): Promise<number> => {
  let faults = 0;
  const spoil = async (one: PlayCase, steps?: readonly Step[]): Promise<void> => {
    const spoilt = await playSpoilt(stage, one, steps === undefined ? {} : { steps });
    tally.report(spoilt.results);
    faults += spoilt.faults;
  };
  const play = async (one: PlayCase): Promise<void> => {
    if (only !== undefined && one.type !== only) return;
    tally.report(await playKit(stage, one));
    await spoil(one);
  };
  await withFixture(stage, async (fixture) => {
    for (const one of CASES(fixture)) await play(one);
    if (only === undefined || only === "handover") {
      tally.report(await playHandover(stage, fixture));
    }
  });
  const net = { type: "OS::Neutron::Net", properties: { name: "empty" } };
  await withOne(stage, net, (network) => play(SUBNET_CASE(network)));
  await withAttachable(stage, async (servers, volumes) => {
    const attachment = ATTACHMENT_CASE(servers, volumes);
    await play(attachment);
    if (only !== undefined && only !== attachment.type) return;
    await spoil(DEVICE_CASE(servers[0], volumes[0]), ["update"]);
  });
  return faults;
};

const { only } = parseArgs({ options: { only: { type: "string" } } }).values;

await playLane("openstack", async (folder) => {
  mustName(only, [...PARTS, ...PLAYED_TYPES]);
  const played = await openStage(folder);
  console.log(`OpenStack: ${played.kind}`);
  const tally = openTally();
  if (only === undefined || only === "page") {
    const place = join(folder, "page");
    mkdirSync(place);
    tally.report(await playPage(played, place));
  }
  let faults = only === "page" || only === "kills" ? 0 : await playTypes(played, tally, only);
  if (only === undefined || only === "kills") {
    const killed = await playCloudKills(played, join(folder, "kills"));
    tally.report(killed.results);
    faults += killed.faults;
  }
  const left = await leftOver(played.stage);
  tally.report([{ name: "nothing is left over", wrong: left }]);
  console.log(figuresLine({ faults, left: left.length }));
  console.log(`openstack, ${played.kind}: ${tally.passed} passed, ${tally.failed} failed`);
  await played.stop();
  return tally.isGreen;
});
