import { describe, expect, it } from "vitest";
import { type Authority, findProblems, ROUNDS_MAX } from "#lib/authoring/find-problems.ts";
import { isJsonObject, type JsonObject } from "#lib/json.ts";

const templateWith = (wrongParameters: number): JsonObject => ({
  heat_template_version: "2021-04-16",
  parameters: Object.fromEntries(
    Array.from({ length: wrongParameters }, (_, at) => [`p${at}`, { type: `wrong${at}` }]),
  ),
});

const firstWrongType: Authority["ask"] = async ([content = {}]) => {
  const parameters = content["parameters"] ?? null;
  for (const parameter of isJsonObject(parameters) ? Object.values(parameters) : []) {
    const type = isJsonObject(parameter) ? String(parameter["type"]) : "";
    if (type.startsWith("wrong")) return [{ code: "Invalid", message: `Invalid type (${type})` }];
  }
  return [];
};

const find = (content: JsonObject, ask: Authority["ask"]) =>
  findProblems([{ kind: "template", file: "app.yaml", text: null, content }], new Map(), {
    ask,
    wordsFor: async () => [],
  });

describe("the errors of a template", () => {
  it("are all found, one answer after another", async () => {
    const { problems, areAll } = await find(templateWith(3), firstWrongType);
    expect(problems.map(({ message }) => message)).toEqual([
      "Invalid type (wrong0)",
      "Invalid type (wrong1)",
      "Invalid type (wrong2)",
    ]);
    expect(areAll).toBe(true);
  });

  it("are not all found if there are very many", async () => {
    const most = await find(templateWith(ROUNDS_MAX), firstWrongType);
    expect([most.problems.length, most.areAll]).toEqual([ROUNDS_MAX, true]);
    const more = await find(templateWith(ROUNDS_MAX + 1), firstWrongType);
    expect([more.problems.length, more.areAll]).toEqual([ROUNDS_MAX, false]);
  });

  it("may be hidden by one that stays whatever is taken out", async () => {
    const { problems, areAll } = await find(templateWith(2), async () => [
      { code: "Invalid", message: "Nothing helps" },
    ]);
    expect([problems.length, areAll]).toEqual([1, false]);
  });

  it("are mended together, however many one answer tells", async () => {
    const count = 300;
    let questions = 0;
    const allWrongTypes: Authority["ask"] = async ([content = {}]) => {
      questions += 1;
      const parameters = content["parameters"] ?? null;
      return (isJsonObject(parameters) ? Object.values(parameters) : []).flatMap((parameter) => {
        const type = isJsonObject(parameter) ? String(parameter["type"]) : "";
        return type.startsWith("wrong")
          ? [{ code: "Invalid", message: `Invalid type (${type})` }]
          : [];
      });
    };
    const { problems, areAll } = await find(templateWith(count), allWrongTypes);
    expect([problems.length, areAll, questions]).toEqual([count, true, 2]);
  });

  it("are told by file and place, whatever is found first", async () => {
    const text = "parameters:\n  p0: { type: wrong0 }\n  p1: { type: wrong1 }\n";
    const content = templateWith(2);
    const backwards: Authority["ask"] = async ([one = {}]) =>
      ["wrong1", "wrong0"]
        .filter((type) => JSON.stringify(one).includes(type))
        .slice(0, 1)
        .map((type) => ({ code: "Invalid", message: `Invalid type (${type})` }));
    const { problems } = await findProblems(
      [{ kind: "template", file: "app.yaml", text, content }],
      new Map(),
      { ask: backwards, wordsFor: async () => [] },
    );
    expect(problems.map(({ place }) => place?.line)).toEqual([2, 3]);
  });
});
