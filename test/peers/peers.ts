/**
 * `npm run lane -- peers`: Heat's own functional tests and those of Tempest's plug-in, unmodified,
 * against an embedded host with a password. A test that fails needs a reason in
 * known-failures.json, and docs/compatibility.md explains it. The last line leaves out what Heat
 * itself cannot pass without a cloud. `--only TEXT` selects modules by name; `--quick` leaves out
 * those with long waits. It needs Python 3.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chosenBy } from "#test/lanes/chosen.ts";
import { playLane } from "#test/lanes/play-lane.ts";
import { startHost } from "../crash/host-process.ts";
import { judge, readReasons, type Verdict } from "./known-failures.ts";
import { playModule, type TestLine, writeConfiguration } from "./play-module.ts";
import { installSuites } from "./suites.ts";

const HOME = fileURLToPath(new URL("../../.data/peers", import.meta.url));
const MODULES_AT_ONCE = 4;
/** Each takes more than a minute on any machine, because it waits for times of its templates. */
const LONG_MODULES = ["test_create_update", "test_simultaneous_update", "test_stack_cancel"];

const { values } = parseArgs({
  options: { only: { type: "string" }, quick: { type: "boolean", default: false } },
});
const { only, quick } = values;

const isWanted = (module: string): boolean =>
  !(quick && LONG_MODULES.some((one) => module.endsWith(`.${one}`)));

const playAll = async (folder: string): Promise<boolean> => {
  const { python, modules, moduleTextOf } = await installSuites(HOME);
  const waiting = [...chosenBy(only, modules.filter(isWanted), (module) => module)];
  const host = startHost(folder, { HEARTH_LOG: "silent" });
  const reasons = readReasons();
  const slow = reasons.filter((reason) => reason.slow).flatMap(({ tests }) => tests);
  const configuration = writeConfiguration(folder, await host.ready());
  const tests: TestLine[] = [];
  const broken: string[] = [];
  const inTurn = async (): Promise<void> => {
    for (let module = waiting.shift(); module !== undefined; module = waiting.shift()) {
      const without = quick ? slow : [];
      const played = await playModule(python, configuration, module, without);
      tests.push(...played.tests);
      if (played.broken !== null) broken.push(played.broken);
    }
  };
  await Promise.all(Array.from({ length: MODULES_AT_ONCE }, inTurn));
  await host.stop();
  return report(judge(reasons, tests, only === undefined && !quick, moduleTextOf), broken);
};

const report = (
  { passed, skipped, known, sharedWithHeat, unexplained, stale }: Verdict,
  broken: readonly string[],
): boolean => {
  for (const { id, text } of skipped) console.log(`skipped ${id}: ${text}`);
  for (const { id, text } of unexplained) console.log(`FAILED  ${id}: ${text}`);
  for (const part of stale) console.log(`FAILED  no test of this name fails any more: ${part}`);
  for (const what of broken) console.log(`FAILED  ${what}`);
  for (const [reason, count] of known) console.log(`known failure ${reason}: ${count}`);
  const failed = unexplained.length + stale.length + broken.length;
  const explained = [...known.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${passed} passed, ${explained} known failures, ${failed} failed, ${skipped.length} skipped`,
  );
  const asked = passed + explained + unexplained.length - sharedWithHeat;
  console.log(`of ${asked} tests that a Heat without a cloud may pass, ${passed} pass`);
  return failed === 0 && passed > 0;
};

await playLane("peers", playAll);
