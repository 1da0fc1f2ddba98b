/** Every yaql expression in the recorded results of the real Heat, with no filter. */
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { present } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import { resolveOutputs } from "#lib/template/resolve.ts";
import { pseudoParameters } from "#lib/template/scope.ts";
import { finished } from "#lib/template/steps.ts";
import { validating } from "#lib/template/validate.ts";
import { bound, parameterValues } from "../template/build.ts";
import { failureOf, hasOracles, json, jsonObject, readCases } from "../template/oracles.ts";

const Case = z.object({
  id: z.string(),
  group: z.string(),
  versions: z.array(z.string()),
  snippet: json,
  params: jsonObject,
  parameters: jsonObject.optional(),
  nondeterministic: z.boolean().optional(),
  expected: json.optional(),
  error: z.object({ phase: z.string(), message: z.string(), match: z.string() }).optional(),
});
type Case = z.infer<typeof Case>;

const cases = readCases("functions.json", Case).filter(({ group }) => group === "yaql");
const titled = (list: readonly Case[]) => list.map((oracle) => [oracle.id, oracle] as const);
const certain = cases.filter(({ nondeterministic }) => nondeterministic !== true);
const uncertain = cases.filter(({ nondeterministic }) => nondeterministic === true);

const evaluate = (oracle: Case, version: string): { value: Json; error?: string } => {
  const source = {
    heat_template_version: version,
    parameters: oracle.parameters ?? {},
    resources: {},
    outputs: { o: { value: oracle.snippet } },
  };
  const parameters = parameterValues(parseTemplate(source), oracle.params, {});
  const template = bound(source, parameters);
  const attributesOf = () => ({ properties: "any" as const, attributes: {} });
  finished(validating(template, parameters, { files: {} }, attributesOf, { strict: true }));
  const [result] = resolveOutputs(template, [present(template.outputs.get("o"), "the output")], {
    parameters,
    pseudo: pseudoParameters(
      { id: "11111111-2222", name: "mystack", tenant: "test_tenant_id" },
      { version: "2021-04-16" },
    ),
    files: {},
    resource: () => null,
  });
  return present(result, "the value of the output");
};

describe.runIf(hasOracles)("yaql as the real Heat evaluates it", () => {
  it("has cases", () => {
    expect(cases.length).toBeGreaterThan(100);
  });

  const values = certain.filter(({ error }) => error === undefined);
  it.each(titled(values))("%s: value", (_, oracle) => {
    for (const version of oracle.versions) {
      expect(evaluate(oracle, version), version).toEqual({ value: oracle.expected });
    }
  });

  const refused = certain.filter(({ error }) => error !== undefined && error.phase !== "resolve");
  it.each(titled(refused))("%s: refused", (_, oracle) => {
    for (const version of oracle.versions) {
      const failure = failureOf(() => evaluate(oracle, version));
      const message = oracle.error?.message;
      expect(failure, version).toEqual({ code: "StackValidationFailed", message });
    }
  });

  const failing = certain.filter(({ error }) => error?.phase === "resolve");
  it.each(titled(failing))("%s: output error", (_, oracle) => {
    for (const version of oracle.versions) {
      const error = oracle.error?.message;
      expect(evaluate(oracle, version), version).toMatchObject({ value: null, error });
    }
  });

  // Heat gives other values each time: a random number, a time, and characters in any order.
  it.each(titled(uncertain))("%s: a value of the same kind", (_, oracle) => {
    for (const version of oracle.versions) {
      if (JSON.stringify(oracle.snippet).includes("now()")) {
        expect(failureOf(() => evaluate(oracle, version))?.message).toBe(
          "outputs.o.value.yaql: Bad expression The function \"now\" of yaql is not supported yet at position 0 of expression 'now()'.",
        );
      } else if (Array.isArray(oracle.expected)) {
        const { value } = evaluate(oracle, version);
        expect(Array.isArray(value) && value.toSorted()).toEqual(oracle.expected.toSorted());
      } else {
        const { value } = evaluate(oracle, version);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThan(1);
      }
    }
  });
});
