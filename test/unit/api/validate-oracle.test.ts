import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { at, openWorld } from "./api-world.ts";

const ORACLE = new URL("../../../../shared/oracles/templates.json", import.meta.url);

const jsonObject = z.record(z.string(), z.json());
const verdict = z.object({ status: z.number(), doc: jsonObject });
const oracle = z.object({
  cases: z.array(
    z.object({ id: z.string(), body: jsonObject, validate: verdict, preview: verdict }),
  ),
});

/** Hearth refuses these features with its own text, so the cases cannot be compared. */
const NOT_BUILT =
  /not supported yet|The resource_registry entry|Type \((OS::Heat::Resource|OS::Heat::AutoScaling|(?!No::))[^)]*\) could not/;
/** Texts of the YAML parser itself, and a description that is a number. */
const DIFFERENT_BY_CHOICE = new Set(["tmpl-020", "tmpl-038", "tmpl-304"]);

const cases = existsSync(ORACLE)
  ? oracle.parse(JSON.parse(readFileSync(ORACLE, "utf8"))).cases
  : [];
const comparable = cases.filter(({ id }) => !DIFFERENT_BY_CHOICE.has(id));

const ask = async (path: string, body: z.infer<typeof jsonObject>) => {
  const answer = await openWorld().send("POST", path, body);
  const built = !NOT_BUILT.test(String(at(answer.body, "error", "message") ?? ""));
  return { ...answer, built };
};

describe.runIf(cases.length > 0)("beside the recorded answers of Heat", () => {
  it("validates as Heat does: the same parameters, the same errors", async () => {
    let compared = 0;
    for (const { id, body, validate } of comparable) {
      const answer = await ask("/validate", body);
      if (!answer.built) continue;
      compared += 1;
      const got = answer.status === 200 ? answer.body : at(answer.body, "error");
      const want = validate.status === 200 ? validate.doc : at(validate.doc, "error");
      expect(got, id).toMatchObject(Object(want));
    }
    expect(compared).toBeGreaterThan(70);
  });

  it("accepts and refuses stacks as Heat does, with the same errors", async () => {
    let compared = 0;
    for (const { id, body, preview } of comparable) {
      const answer = await ask("/stacks", { ...body, stack_name: "teststack" });
      if (!answer.built) continue;
      compared += 1;
      expect(answer.status, id).toBe(preview.status === 200 ? 201 : preview.status);
      if (preview.status === 200) continue;
      expect(at(answer.body, "error"), id).toMatchObject(Object(at(preview.doc, "error")));
    }
    expect(compared).toBeGreaterThan(70);
  });
});

const ENVIRONMENTS = new URL("../../../../shared/oracles/environment.json", import.meta.url);
const environmentOracle = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      op: z.string(),
      status: z.number().optional(),
      body: jsonObject.optional(),
      result: jsonObject.optional(),
      error: jsonObject.optional(),
    }),
  ),
});
/** Heat's own bugs: a 500, or an error of Python as a 400. */
const IS_HEATS_BUG = /AttributeError/;

const environments = existsSync(ENVIRONMENTS)
  ? environmentOracle
      .parse(JSON.parse(readFileSync(ENVIRONMENTS, "utf8")))
      .cases.filter(({ op, status, error }) => {
        const isBug = IS_HEATS_BUG.test(JSON.stringify(error ?? {}));
        return op === "POST /validate" && status !== undefined && status < 500 && !isBug;
      })
  : [];

describe.runIf(environments.length > 0)("environments beside the recorded answers of Heat", () => {
  it.each(environments.map((one) => [one.id, one] as const))("%s", async (_, oracle) => {
    const answer = await openWorld().send("POST", "/validate", oracle.body ?? {});
    const got = answer.status === 200 ? answer.body : at(answer.body, "error");
    const want = oracle.status === 200 ? oracle.result : at(oracle.error ?? null, "error");
    expect(answer.status).toBe(oracle.status);
    expect(got).toMatchObject(Object(want));
  });
});
