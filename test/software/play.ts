/**
 * Plays the table in a mount namespace that ends with this process. `software.ts` starts it with
 * the checkout, the image's archive, and words of the templates to play.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openClient } from "#client/client.ts";
import { chosenBy } from "#test/lanes/chosen.ts";
import { compareInstalled, installStockAgents } from "../agents/stock-agents.ts";
import { watchPace, whenOver } from "../aws/pace.ts";
import { startHost } from "../crash/host-process.ts";
import { openTally } from "../crash/tally.ts";
import { softwareTemplates } from "./checkout.ts";
import { refreshCompleted } from "./elements.ts";
import { PYTHON_PACKAGES, VENV } from "./image.ts";
import { type Place, playTemplate } from "./life.ts";
import { furnish } from "./machine.ts";
import { PLAYED, type Played, UNPLAYED } from "./templates.ts";

const RUN_MS_MAX = 1_500_000;
/** A cycle of the stock agents takes a second or two of processor time. */
const TEMPLATES_AT_ONCE = 2;
const DATA = fileURLToPath(new URL("../../.data", import.meta.url));

const [given = "", archive = "", only = ""] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "hearth-software-"));
const IMAGE = join(folder, "image");
const tally = openTally();
const skipped: { readonly file: string; readonly tool: string; readonly why: string }[] = [];

const finish = (failure?: string): never => {
  if (failure !== undefined) tally.report([{ name: "the run finishes", wrong: [failure] }]);
  if (tally.failed > 0) console.log(`The logs of host and machines are kept in ${folder}`);
  else {
    // A mount point cannot be removed.
    if (existsSync(IMAGE)) execFileSync("umount", ["--lazy", IMAGE]);
    rmSync(folder, { recursive: true, force: true });
  }
  const byTool = Map.groupBy(skipped, ({ tool, why }) => `${tool} (${why})`);
  for (const [tool, files] of byTool) {
    console.log(`without ${tool}: ${files.length}`);
    for (const { file } of files) console.log(`        ${file}`);
  }
  console.log(`${tally.passed} passed, ${tally.failed} failed, ${skipped.length} skipped`);
  process.exit(tally.isGreen ? 0 : 1);
};

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => finish(signal));
whenOver(RUN_MS_MAX, () => finish("the run takes too long"));

/** Otherwise nobody would notice a template that was added to the checkout or removed from it. */
const compareTable = (): void => {
  const found = new Set(softwareTemplates(given));
  const listed = new Set([...PLAYED, ...UNPLAYED].map(({ file }) => file));
  const wrong = [
    ...[...found].filter((file) => !listed.has(file)).map((file) => `the table lacks ${file}`),
    ...[...listed].filter((file) => !found.has(file)).map((file) => `the checkout lacks ${file}`),
  ];
  if (wrong.length > 0) tally.report([{ name: "the table has each software template", wrong }]);
  console.log(`${found.size} software templates, ${PLAYED.length} of them to play`);
};

/**
 * The layer is in memory, because a folder below the system's own files cannot be mounted over
 * them.
 */
const openImage = async (hooks: string): Promise<void> => {
  mkdirSync(IMAGE);
  execFileSync("mount", ["-t", "tmpfs", "image", IMAGE]);
  execFileSync("tar", ["--xattrs", "--xattrs-include=*", "-xf", archive, "-C", IMAGE]);
  const compared = compareInstalled(join(IMAGE, VENV), PYTHON_PACKAGES);
  furnish(IMAGE, { hooks, refreshCompleted: await refreshCompleted(DATA, folder) });
  console.log(`the stock agents are unmodified: ${compared} files compared`);
};

const openPlace = async (): Promise<Place> => {
  const agents = await installStockAgents(join(DATA, "stock-agents"), folder);
  await openImage(agents.hooks);
  const checkout = join(folder, "heat-templates");
  symlinkSync(given, checkout);
  const host = startHost(folder);
  const endpoint = await host.ready();
  watchPace(endpoint);
  const connection = { endpoint, project: "demo" };
  const rig = { agents, folder, connection, client: openClient(connection), host };
  return { rig, checkout, image: IMAGE };
};

const play = async (place: Place, row: Played, stack: string): Promise<void> => {
  const begun = performance.now();
  const end = await playTemplate(place, row, stack).then(
    (tool) => ({ tool, wrong: [] }),
    (error: unknown) => ({
      tool: null,
      wrong: [error instanceof Error ? error.message : String(error)],
    }),
  );
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  if (end.tool === null) tally.report([{ name: `${row.file} (${seconds} s)`, wrong: end.wrong }]);
  else skipped.push({ file: row.file, tool: end.tool, why: "it could not be installed here" });
};

const run = async (): Promise<void> => {
  compareTable();
  const place = await openPlace();
  const rows = PLAYED.map((row, index) => ({ row, stack: `software-${index + 1}` }));
  const waiting = [...chosenBy(only, rows, ({ row }) => row.file)];
  const inTurn = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await play(place, next.row, next.stack);
    }
  };
  await Promise.all(Array.from({ length: TEMPLATES_AT_ONCE }, inTurn));
  skipped.push(...UNPLAYED);
  await place.rig.host?.stop();
};

await run().then(
  () => finish(),
  (error: unknown) => finish(error instanceof Error ? error.message : String(error)),
);
