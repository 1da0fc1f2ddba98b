import { deepEqual, equal, match, ok } from "node:assert/strict";
import { pause, readObjects } from "../looks.ts";
import {
  chain,
  create,
  type DiskSite,
  type DiskStep,
  expectAnswers,
  expectFaultsTold,
  expectMadeOnce,
  expectNoEndTold,
  expectNoStackTrace,
  expectSilence,
  startAgain,
  statusOf,
  stop,
  update,
  waitForEndOfFault,
  waitForFault,
  waitForStatus,
} from "./disk-client.ts";
import { fill, free } from "./small-disk.ts";

const FULL = /the disk is full/;
const READ_ONLY = /the file system is mounted read-only|it cannot be written/;
const QUICK = [0.1];
const LASTING = [5, 0.2, 0.2, 0.2];
/** This leaves room for some writes, so that the fault comes and goes before it stays. */
const LEFT_KIB = 1_500;
/** With the first size a start must fail; with the second it may succeed. */
const START_KIB = [0, 16];
const ROUNDS_MAX = 400;
/** After so many refused rounds in a row the disk accepts nothing more. */
const REFUSED_ROUNDS = 6;
const ROUND_MS = 200;
const SILENT_REFUSALS = 20;

const writeUntilRefused = async (site: DiskSite): Promise<void> => {
  const { taken, refused, updates } = site;
  let inARow = 0;
  for (let round = 0; inARow < REFUSED_ROUNDS; round += 1) {
    ok(round < ROUNDS_MAX, "the disk takes every write");
    const name = `late-${taken.length + refused.length}`;
    const isMade = await create(site, name, chain(QUICK));
    (isMade ? taken : refused).push(name);
    const isUpdated = await update(site, "settled", chain(QUICK, `beside ${name}`));
    if (isUpdated) updates.push(`beside ${name}`);
    inARow = isMade || isUpdated ? 0 : inARow + 1;
    if (inARow > 0) await pause(ROUND_MS);
  }
};

const expectTaken = async (site: DiskSite): Promise<void> => {
  for (const name of site.taken) {
    await waitForStatus(site, name, "CREATE_COMPLETE");
    await expectMadeOnce(site, name, QUICK.length);
  }
  for (const name of site.refused) equal(await statusOf(site, name), null, `${name} was refused`);
  await waitForStatus(site, "settled", "UPDATE_COMPLETE");
  const objects = await readObjects(await site.host.ready());
  const settled = objects.filter(({ stack_name }) => stack_name === "settled");
  deepEqual(
    settled.map(({ properties }) => properties["value"]),
    [site.updates.at(-1)],
  );
};

const becomesFull = async (site: DiskSite): Promise<void> => {
  ok(await create(site, "settled", chain(QUICK)));
  await waitForStatus(site, "settled", "CREATE_COMPLETE");
  ok(await create(site, "living", chain(LASTING)));
  await fill(site.disk, LEFT_KIB);
  await writeUntilRefused(site);
  const { taken, refused, updates } = site;
  const counts = `${taken.length} stacks and ${updates.length} updates`;
  console.log(`       ${counts} were taken, ${refused.length} stacks refused`);
  ok(taken.length > 0 && updates.length > 0, "the disk took nothing");
};

const saysThatItIsFull = async (site: DiskSite): Promise<void> => {
  await waitForFault(site, FULL);
  await expectAnswers(site, FULL);
  await expectSilence(site, SILENT_REFUSALS);
  await expectFaultsTold(site, 1);
  expectNoEndTold(site);
  expectNoStackTrace(site);
};

const goesOn = async (site: DiskSite): Promise<void> => {
  await free(site.disk);
  await waitForStatus(site, "living", "CREATE_COMPLETE");
  await expectMadeOnce(site, "living", LASTING.length);
  await expectTaken(site);
  ok(await create(site, "new", chain(QUICK)));
  await waitForStatus(site, "new", "CREATE_COMPLETE");
  await waitForEndOfFault(site);
  await expectFaultsTold(site, 1);
};

const endsAndStarts = async (site: DiskSite): Promise<void> => {
  ok(await create(site, "cut-off", chain(LASTING)));
  await fill(site.disk);
  await writeUntilRefused(site);
  await stop(site);
  for (const leftKib of START_KIB) {
    await free(site.disk);
    await fill(site.disk, leftKib);
    const said = await startAgain(site);
    console.log(`       the start with ${leftKib} KiB: ${said ?? "it listens"}`);
    if (said === null) await stop(site);
    else match(said, FULL);
  }
  await free(site.disk);
  equal(await startAgain(site), null);
  await waitForStatus(site, "cut-off", "CREATE_COMPLETE");
  await expectMadeOnce(site, "cut-off", LASTING.length);
  await expectTaken(site);
  expectNoStackTrace(site);
};

const isRemounted = async (site: DiskSite): Promise<void> => {
  await stop(site);
  await site.disk.run(`mount -o remount,ro "$1"`);
  match((await startAgain(site)) ?? "it listens", READ_ONLY);
  await site.disk.run(`mount -o remount,rw "$1"`);
  equal(await startAgain(site), null);
  await expectTaken(site);
  ok(await create(site, "last", chain(QUICK)));
  await waitForStatus(site, "last", "CREATE_COMPLETE");
  await stop(site);
  expectNoStackTrace(site);
};

export const fullDiskSteps: readonly DiskStep[] = [
  {
    name: "on a disk that becomes full each write is done, or refused with 503",
    play: becomesFull,
  },
  {
    name: "the health and hearth doctor say that the disk is full, and the log once",
    play: saysThatItIsFull,
  },
  {
    name: "when the space is free, all goes on by itself, and nothing is lost",
    play: goesOn,
  },
  {
    name: "on a full disk the host ends in time, and then starts or says why not",
    play: endsAndStarts,
  },
  {
    name: "on a disk that is remounted read-only the host does not start, and says why",
    play: isRemounted,
  },
];
