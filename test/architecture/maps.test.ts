import { describe, expect, it } from "vitest";
import { holdsUsersMaps, lostOrders } from "./map-rules.ts";
import { repositoryFiles } from "./repository.ts";

const SAMPLE = {
  path: "lib/template/sample-of-maps.ts",
  text: `
import type { Json, JsonObject } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
export const spread = (map: JsonObject): JsonObject => ({ ...map, a: 1 });
export const mayBeNull = (map: JsonObject | null): JsonObject => ({ ...map });
export const texts = (map: Readonly<Record<string, string>>) => ({ ...map });
export const rest = ({ a: _, ...others }: JsonObject): JsonObject => others;
export const built = (keys: readonly string[]): JsonObject => {
  const map: Record<string, Json> = {};
  for (const key of keys) map[key] = null;
  return map;
};
export const known = (given: { a: number }): JsonObject => ({ ...given, b: 1 });
export const list = (items: Json[]): Json[] => {
  items[0] = 1;
  return [...items];
};
export const schemas = (own: PropertySchemas): PropertySchemas => ({ ...own });
`,
};

describe("the code", () => {
  const { problems, paths } = lostOrders(SAMPLE);
  const isSample = (problem: string): boolean => problem.startsWith(SAMPLE.path);

  it("copies maps by mapOf and mergedMaps, which keep their order", () => {
    expect(problems.filter((problem) => !isSample(problem))).toEqual([]);
    const own = repositoryFiles().map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(own.filter(holdsUsersMaps)));
  });

  it("would not pass with another copy", () => {
    expect(problems.filter(isSample).map((problem) => problem.replace(/^\S+ /, ""))).toEqual([
      "...map",
      "...map",
      "...map",
      "{ a: _, ...others }",
      "map[key] = null",
    ]);
  });
});
