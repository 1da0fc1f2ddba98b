import { rmSync } from "node:fs";
import { whenOver } from "../aws/pace.ts";
import { openTally } from "../crash/tally.ts";
import { openSite, type Site } from "./site.ts";
import { lifeStories } from "./stories/life.ts";
import { refusalStories } from "./stories/refusals.ts";
import { stockStories } from "./stories/stock.ts";

const RUN_MS_MAX = 300_000;

const tally = openTally();
let site: Site | null = null;

const finish = (failure?: string): never => {
  if (failure !== undefined) tally.report([{ name: "the run finishes", wrong: [failure] }]);
  if (tally.failed === 0 && site !== null) rmSync(site.folder, { recursive: true });
  else console.log(`The host's data and log are kept in ${site?.folder}`);
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  process.exit(tally.isGreen ? 0 : 1);
};

const run = async (hostNamespace: string): Promise<void> => {
  site = await openSite(hostNamespace);
  for (const story of [...lifeStories, ...stockStories, ...refusalStories]) {
    const begun = performance.now();
    const wrong = await story.play(site).then(
      () => [],
      (error: unknown) => [error instanceof Error ? error.message : String(error)],
    );
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    tally.report([{ name: `${story.name} (${seconds} s)`, wrong }]);
  }
  await site.machine.stop();
  const code = await site.host.stop();
  tally.report([{ name: "the host ends in order", wrong: code === 0 ? [] : [`with ${code}`] }]);
};

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => finish(signal));
whenOver(RUN_MS_MAX, () => finish("the run takes too long"));
await run(process.argv[2] ?? "").then(
  () => finish(),
  (error: unknown) => finish(error instanceof Error ? error.message : String(error)),
);
