/**
 * `npm run lane -- ec2`: servers, networks and volumes in EC2, on moto behind a proxy that keeps
 * tokens, hides new objects and spoils calls. It needs Python with pip. HEARTH_HEAT_TEMPLATES names
 * a checkout of openstack/heat-templates, of which three templates are played. `--only host`,
 * `provider` or `kills` plays a part, and `--type TEXT` selects types of the provider by name.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { EC2 } from "@aws-sdk/client-ec2";
import { openTally } from "../crash/tally.ts";
import { chosenBy, mustName } from "../lanes/chosen.ts";
import { figuresLine } from "../lanes/figures.ts";
import { hasHeatTemplates } from "../lanes/heat-templates.ts";
import { playLane } from "../lanes/play-lane.ts";
import { promisesOf } from "./ec2-promises.ts";
import { playExamples } from "./example.ts";
import { FAULTS, type Fault, startFaultsProxy } from "./faults-proxy.ts";
import { attachGateway, makeFixtures } from "./fixtures.ts";
import { playEc2Kills } from "./kills.ts";
import { kitCases } from "./kit-cases.ts";
import { playMachines } from "./machines.ts";
import { leftOver } from "./made-objects.ts";
import { installMoto, startMoto } from "./moto.ts";
import { playPage, startHost } from "./page.ts";
import { PARTS, playParts } from "./parts.ts";
import { environmentFor, type Place, playFaults, playKit, playMarked } from "./provider-play.ts";

const DATA = fileURLToPath(new URL("../../.data", import.meta.url));
const VENV = join(DATA, "moto");
/** A new object is not found for so many reads. */
const HIDDEN_LOOKS = 2;

/** A prime, so that it is not always the same call of a loop. */
const SPOILT_EVERY = 7;

const directTo = (endpoint: string): EC2 =>
  new EC2({
    endpoint,
    region: "eu-central-1",
    credentials: { accessKeyId: "AKIATEST", secretAccessKey: "test" },
  });

const playProvider = async (place: Place, tally: ReturnType<typeof openTally>): Promise<void> => {
  const cases = kitCases(await makeFixtures(place.ec2));
  for (const one of chosenBy(values.type, cases, ({ type }) => type)) {
    const seconds = () => Math.round((Date.now() - began) / 1_000);
    const began = Date.now();
    tally.report(await playMarked(place, one));
    tally.report(await playKit(place, one, ""));
    tally.report(await playFaults(place, one));
    console.log(`${one.type}: ${seconds()} s`);
  }
};

const faultOf = (call: number): Fault | null =>
  call % SPOILT_EVERY === 1 ? (FAULTS[call % FAULTS.length] ?? null) : null;

const playHost = async (
  place: Place,
  folder: string,
  tally: ReturnType<typeof openTally>,
): Promise<void> => {
  const { proxy, ec2 } = place;
  Object.assign(process.env, environmentFor(proxy.url));
  proxy.options.fault = faultOf;
  const machines = playMachines(ec2, folder);
  const host = await startHost(folder, "--memory");
  try {
    tally.report(await playPage(host, folder));
    if (hasHeatTemplates()) {
      for await (const result of playExamples({ host, folder, ec2 })) tally.report([result]);
    }
  } finally {
    await host.stop("SIGTERM");
    await machines.stop();
    proxy.options.fault = () => null;
  }
  const [session] = proxy.seen.sessions;
  const isRole = session?.role.endsWith(":role/hearth-demo") && session.externalId === "demo-7f";
  tally.report([
    { name: "the project's role acts", wrong: isRole ? [] : [JSON.stringify(session)] },
  ]);
  const wrong = machines.booted > 1 ? [] : [`${machines.booted} machines`];
  tally.report([{ name: "instances have run their user data", wrong }]);
};

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    type: { type: "string" },
  },
});

const playPart = async (folder: string): Promise<boolean> => {
  const moto = await startMoto(VENV, folder);
  const ec2 = directTo(moto.url);
  const proxy = await startFaultsProxy(moto.url, promisesOf(ec2));
  const tally = openTally();
  await attachGateway(ec2);
  proxy.options.hidden = HIDDEN_LOOKS;
  if (values.only === "host") await playHost({ proxy, ec2 }, folder, tally);
  if (values.only === "provider") await playProvider({ proxy, ec2 }, tally);
  const killed = values.only === "kills" ? await playEc2Kills({ proxy, ec2 }, folder) : null;
  tally.report(killed?.results ?? []);
  const left = await leftOver(ec2);
  tally.report([{ name: "no object is left over", wrong: left }]);
  const faults = [...proxy.seen.faults].map(([fault, count]) => `${count} ${fault}`).join(", ");
  const spoilt = [...proxy.seen.faults.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${proxy.seen.calls} calls; ${faults}`);
  console.log(
    `${proxy.seen.hiddenLooks} looks at what was hidden, ${proxy.seen.repeatedTokens} repeated tokens`,
  );
  console.log(figuresLine({ faults: spoilt + (killed?.faults ?? 0), left: left.length }));
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  await proxy.stop();
  moto.stop();
  return tally.isGreen;
};

await playLane("ec2", async (folder) => {
  if (values.only !== undefined) {
    mustName(values.only, PARTS);
    return playPart(folder);
  }
  mkdirSync(DATA, { recursive: true });
  await installMoto(VENV);
  return playParts([fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
});
