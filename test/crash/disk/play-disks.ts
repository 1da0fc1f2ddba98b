/** Plays the stories on small disks. A step that fails ends its story, and the next one begins. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { startHost } from "../host-process.ts";
import type { Tally } from "../tally.ts";
import { fullDiskSteps } from "./full-disk.ts";
import { readOnlySteps } from "./read-only.ts";
import { openSmallDisk, whyNoSmallDisk } from "./small-disk.ts";

const STORIES = [
  { name: "a full disk", kind: "memory", steps: fullDiskSteps },
  { name: "a read-only disk", kind: "image", steps: readOnlySteps },
] as const;
type DiskStory = (typeof STORIES)[number];

/** The stories mostly wait, so they run side by side. Returns what was not run, and why. */
export const playDisks = async (folder: string, tally: Tally): Promise<readonly string[]> => {
  const reasons = await Promise.all(
    STORIES.map(async (story) => {
      const place = join(folder, story.kind);
      mkdirSync(place);
      const why = whyNoSmallDisk(story.kind, place);
      if (why === null) await playOn(story, place, tally);
      return why === null ? [] : [`${story.name} (${why})`];
    }),
  );
  return reasons.flat();
};

const playOn = async ({ kind, steps }: DiskStory, folder: string, tally: Tally): Promise<void> => {
  const disk = await openSmallDisk(kind, folder);
  const host = startHost(folder, {}, [], disk.place);
  const site = { disk, host, taken: [], refused: [], updates: [] };
  for (const { name, play } of steps) {
    const begun = performance.now();
    const failure = await play(site).then(() => null, whatFailed);
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    tally.report([{ name: `${name} (${seconds} s)`, wrong: failure === null ? [] : [failure] }]);
    if (failure === null) continue;
    // The small disk is removed with its contents, so they are copied for the examination.
    await disk.run(`cp -a "$1" "$1.kept"`).catch(() => undefined);
    break;
  }
  host.kill();
  await disk.close();
};

/** If a request got no answer, only its error's cause says what happened to the connection. */
const whatFailed = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${inspect(error.cause)}`;
};
