/**
 * `npm run lane -- core` copies the core of this clone to a folder without all that is optional.
 * What is left has right types, passes its tests, and makes a stack on an emulator of AWS.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { playLane } from "../lanes/play-lane.ts";
import { playDeployment } from "./play-deployment.ts";
import { checkTypes, playTests } from "./play-tests.ts";
import { countBy, folderOf, type ReducedClone, reduceClone } from "./reduced-clone.ts";

const MINUTE_MS = 60_000;

const listOf = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([name, count]) => `${name} ${count}`).join(", ");

const tell = ({ product, tests, lines, optional, leftOut }: ReducedClone): void => {
  console.log(`the core has ${product.length} files with ${lines} lines of TypeScript`);
  console.log(`files that stay behind: ${listOf(optional)}`);
  const needed = countBy([...leftOut.values()].map(folderOf));
  console.log(`${tests.length} files of tests are in the core`);
  console.log(`${leftOut.size} are not, for what they need: ${listOf(needed)}`);
};

const isGood = async (name: string, part: () => Promise<string>): Promise<boolean> => {
  const begun = performance.now();
  const [verdict, text] = await part().then(
    (done) => ["ok    ", done] as const,
    (error: unknown) => ["FAILED", error instanceof Error ? error.message : String(error)] as const,
  );
  const minutes = ((performance.now() - begun) / MINUTE_MS).toFixed(1);
  console.log(`${verdict} ${name} (${minutes} min): ${text}`);
  return verdict === "ok    ";
};

const play = async (folder: string): Promise<boolean> => {
  const root = join(folder, "clone");
  mkdirSync(root);
  const clone = reduceClone(root);
  tell(clone);
  const results = [
    await isGood("types", () => checkTypes(clone)),
    await isGood("tests", () => playTests(clone)),
    await isGood("deployment", () => playDeployment(clone, folder)),
  ];
  const passed = results.filter((good) => good).length;
  console.log(
    `${passed} passed, ${results.length - passed} failed; ${clone.lines} lines of product`,
  );
  return passed === results.length;
};

await playLane("core", play);
