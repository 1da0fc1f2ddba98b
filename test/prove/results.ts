import { createHash } from "node:crypto";
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type * as z from "zod";

const root = resolve(import.meta.dirname, "../..");
const folder = join(root, ".data/prove");

/** Results are valid only for the source that they were found with. */
const digestOf = (sources: readonly string[]): string => {
  const hash = createHash("sha256");
  for (const path of globSync([...sources], { cwd: root }).toSorted()) {
    hash.update(readFileSync(join(root, path)));
  }
  return hash.digest("hex").slice(0, 16);
};

export interface Results<Result> {
  readonly former: readonly Result[];
  add(result: Result): void;
}

export const keptResults = <Result>(
  sources: readonly string[],
  suffix: string,
  schema: z.ZodType<Result>,
): Results<Result> => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${digestOf(sources)}${suffix}.jsonl`);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
  return {
    former: lines.map((line) => schema.parse(JSON.parse(line))),
    add: (result) => appendFileSync(file, `${JSON.stringify(result)}\n`),
  };
};
