import { describe, expect, it } from "vitest";
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import { isJsonObject } from "#lib/json.ts";
import { nested, nestedQuestion } from "#test/differential/nested/nested.ts";
import { nestedRequest, PLACES } from "#test/differential/nested/nested-request.ts";

const questions = Array.from({ length: 3_000 }, (_, seed) => nestedQuestion(memoryRandom(seed)));

describe("the questions about wrong values in nested templates", () => {
  it("are the same for the same seed", () => {
    expect(nestedQuestion(memoryRandom(7))).toEqual(questions[7]);
  });

  it("are about all places, and nearly all types", () => {
    expect(new Set(questions.map(({ place }) => place))).toEqual(new Set(PLACES));
    expect(new Set(questions.map(({ type }) => type)).size).toBeGreaterThan(150);
  });

  it("have the resource in the files or in the template of the request", () => {
    for (const question of questions.slice(0, 100)) {
      const { template = null, files = null } = nestedRequest(question);
      expect(JSON.stringify({ template, files })).toContain(String(question["type"]));
      const isNested = isJsonObject(files) && Object.keys(files).length > 0;
      expect(isNested).toBe(String(question["place"]).includes("template"));
    }
  });

  it("are compared by the texts of a create, without random names", async () => {
    const accepted = nested.compared({ validate: { document: {} }, create: { document: {} } }, {});
    expect(accepted).toEqual({ validate: null });
    const message = "instance gnk4uoqdhj7y";
    const refused = nested.compared({ validate: { message: "no" }, create: { message } }, {});
    expect(refused).toEqual({ validate: "no", message: "instance MEMBER" });
  });
});
