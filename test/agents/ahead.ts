/** Stories that would take minutes. Each has a host of its own, whose clock it can put forward. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openClient } from "#client/client.ts";
import { startHost } from "../crash/host-process.ts";
import type { Rig, Story } from "./rig.ts";

const MS_PER_MINUTE = 60_000;
const CLOCK = new URL("./clock-ahead.ts", import.meta.url);

export interface AheadRig extends Rig {
  /** Only the host's clock moves; machines and agents keep theirs. */
  goAhead(minutes: number): void;
}

export const aheadStory = (
  folder: string,
  name: string,
  play: (rig: AheadRig) => Promise<void>,
): Story => ({
  name,
  needsOwnHost: true,
  play: async (rig) => {
    const place = join(rig.folder, folder);
    mkdirSync(place);
    const clock = openClock(join(place, "clock"));
    const variables = { NODE_OPTIONS: `--import=${CLOCK.href}`, HEARTH_TEST_CLOCK: clock.file };
    const host = startHost(place, variables);
    try {
      const connection = { ...rig.connection, endpoint: await host.ready() };
      const own = { connection, client: openClient(connection), host };
      await play({ ...rig, ...own, folder: place, goAhead: clock.goAhead });
    } finally {
      await host.stop();
    }
  },
});

const openClock = (file: string) => {
  let aheadMs = 0;
  // The rename is atomic. Otherwise the host could read half of the number, and its clock go back.
  const write = (): void => {
    writeFileSync(`${file}.new`, String(aheadMs));
    renameSync(`${file}.new`, file);
  };
  write();
  const goAhead = (minutes: number): void => {
    aheadMs += minutes * MS_PER_MINUTE;
    write();
  };
  return { file, goAhead };
};
