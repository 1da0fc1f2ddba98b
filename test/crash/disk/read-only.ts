/** A host whose file system becomes read-only, as ext4 does after an error. */
import { equal, ok } from "node:assert/strict";
import {
  chain,
  create,
  type DiskSite,
  type DiskStep,
  expectAnswers,
  expectFaultsTold,
  expectMadeOnce,
  expectNoStackTrace,
  expectSilence,
  startAgain,
  stop,
  waitForEndOfFault,
  waitForFault,
  waitForStatus,
} from "./disk-client.ts";

const FOUND = /the disk reports an error|it cannot be written|mounted read-only/;
const SILENT_REFUSALS = 20;
const QUICK = [0.1];
/**
 * Nothing is written while the first resource waits, so everything is on the disk when it fails.
 */
const LASTING = [4, 0.1, 0.1];

/** Fails this file system only. A remount by command is refused while files are open. */
const FAIL = `sync -f "$1"
device=$(findmnt -no SOURCE "$1")
echo 1 > "/sys/fs/ext4/\${device##*/}/trigger_fs_error"`;
/**
 * SQLite's shared memory is left out. Linux kills a process (SIGBUS) that writes to a mapped page
 * of an immutable file if the page was written to the disk before. No real fault of a disk does
 * that.
 */
const NO_WRITES = `chattr +i "$1"; find "$1" -type f ! -name '*-shm' -exec chattr +i {} +`;
const WRITES = `chattr -i "$1" "$1"/*`;
const MOUNT_AGAIN = `umount "$1"; mount -o loop "$2" "$1"`;

const isRefused = async (site: DiskSite): Promise<void> => {
  ok(!(await create(site, "refused", chain(QUICK))), "a read-only disk took a stack");
};

export const readOnlySteps: readonly DiskStep[] = [
  {
    name: "a host that may not write for a while lives, says why, and goes on by itself",
    play: async (site) => {
      ok(await create(site, "early", chain(QUICK)));
      await waitForStatus(site, "early", "CREATE_COMPLETE");
      ok(await create(site, "halted", chain(LASTING)));
      await waitForStatus(site, "halted", "CREATE_IN_PROGRESS");
      await site.disk.run(NO_WRITES);
      await isRefused(site);
      await waitForFault(site, FOUND);
      await expectAnswers(site, FOUND);
      await expectSilence(site, SILENT_REFUSALS);
      await site.disk.run(WRITES);
      await waitForStatus(site, "halted", "CREATE_COMPLETE");
      await expectMadeOnce(site, "halted", LASTING.length);
      await waitForEndOfFault(site);
      await expectFaultsTold(site, 1);
    },
  },
  {
    name: "on a disk that makes itself read-only the host lives, refuses writes and says why",
    play: async (site) => {
      ok(await create(site, "settled", chain(QUICK)));
      await waitForStatus(site, "settled", "CREATE_COMPLETE");
      ok(await create(site, "living", chain(LASTING)));
      await waitForStatus(site, "living", "CREATE_IN_PROGRESS");
      await site.disk.run(FAIL);
      await isRefused(site);
      await waitForFault(site, FOUND);
      await expectAnswers(site, FOUND);
      await isRefused(site);
      await expectFaultsTold(site, 2);
      expectNoStackTrace(site);
    },
  },
  {
    name: "it ends in time there, says why it does not start, and goes on after a new mount",
    play: async (site) => {
      await stop(site);
      const said = await startAgain(site);
      console.log(`       the start on a read-only disk: ${said ?? "it listens"}`);
      ok(said !== null, "the host started on a read-only disk");
      await site.disk.run(MOUNT_AGAIN);
      equal(await startAgain(site), null);
      await waitForStatus(site, "living", "CREATE_COMPLETE");
      await expectMadeOnce(site, "living", LASTING.length);
      await expectMadeOnce(site, "settled", QUICK.length);
      await stop(site);
      expectNoStackTrace(site);
    },
  },
];
