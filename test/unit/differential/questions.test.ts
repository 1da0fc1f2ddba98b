import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import { CFN_VERSIONS, VERSIONS } from "#lib/template/format.ts";
import { functionsOf, ownConditionFunctionsOf } from "#lib/template/functions/table.ts";
import { shrunk } from "#test/differential/shrink.ts";
import { FUNCTION_NAMES } from "#test/differential/snippets/callers.ts";
import { functionQuestion } from "#test/differential/snippets/question.ts";

const LIBRARY = new URL("../../../lib/yaql/library/", import.meta.url);
const GRAMMAR = new URL("../../differential/snippets/yaql-grammar.ts", import.meta.url);

const questions = Array.from({ length: 600 }, (_, seed) => functionQuestion(memoryRandom(seed)));

describe("the questions about functions", () => {
  it("are the same for the same seed", () => {
    expect(functionQuestion(memoryRandom(5))).toEqual(questions[5]);
  });

  it("call every function of every version", () => {
    const known = [...VERSIONS, ...CFN_VERSIONS].flatMap((version) => [
      ...functionsOf(version).keys(),
      ...ownConditionFunctionsOf(version).keys(),
    ]);
    expect([...FUNCTION_NAMES].toSorted()).toEqual([...new Set(known)].toSorted());
    const asked = new Set(questions.map(({ subject }) => String(subject)));
    expect([...asked].toSorted()).toEqual([...FUNCTION_NAMES].toSorted());
  });

  it("are about outputs, properties and conditions", () => {
    const places = new Set(questions.map(({ place }) => String(place)));
    expect([...places].toSorted()).toEqual(["condition", "output", "property"]);
  });

  it("have a rule of the grammar for every function of yaql's library", () => {
    const grammar = readFileSync(GRAMMAR, "utf8");
    const sources = readdirSync(LIBRARY).map((file) =>
      readFileSync(new URL(file, LIBRARY), "utf8"),
    );
    const names = sources.flatMap((source) =>
      [...source.matchAll(/define\w+\(\s*"([A-Za-z]+)"/g)].map(([, name]) => String(name)),
    );
    expect(names.length).toBeGreaterThan(90);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(grammar))).toEqual([]);
  });
});

describe("a question that fails", () => {
  it("becomes as small as it can be", async () => {
    const hasYaql = async (question: JsonObject) => JSON.stringify(question).includes("needle");
    const value = { list_join: [",", [{ get_param: "p" }, { a: ["x", "needle", 3] }]] };
    const question = { template: { outputs: { o: { value } } }, states: { r1: {} } };
    const { template = null, ...rest } = await shrunk(question, hasYaql);
    expect(isJsonObject(template) ? template["outputs"] : null).toEqual({ o: { value: "needle" } });
    expect(rest).toEqual({});
  });
});
