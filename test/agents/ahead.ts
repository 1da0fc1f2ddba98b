/** Stories about what takes minutes: each has a host of its own, whose clock it can put forward. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openClient } from "#client/client.ts";
import { startHost } from "../crash/host-process.ts";
import type { Rig, Story } from "./rig.ts";

const MS_PER_MINUTE = 60_000;
const CLOCK = new URL("./clock-ahead.ts", import.meta.url);

export interface AheadRig extends Rig {
  /** For the host alone: machines and agents go on at their own pace. */
  goAhead(minutes: number): void;
}

/** `folder` is what the story keeps its host and its servers in, within the rig's. */
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
  // Renamed into place, or the host could read half of it and go back.
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
