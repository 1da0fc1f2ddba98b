import { describe, expect, it } from "vitest";
import * as z from "zod";
import { isJsonObject, type Json } from "#lib/json.ts";
import { describeParameters } from "#lib/template/parameters.ts";
import { parseTemplate, readText, templateIn } from "#lib/template/parse.ts";
import { pseudoParameters } from "#lib/template/scope.ts";
import { finished } from "#lib/template/steps.ts";
import { validating } from "#lib/template/validate.ts";
import { bound, parameterValues } from "./build.ts";
import { heatType } from "./heat-types.ts";
import { failureOf, hasOracles, json, jsonObject, readCases } from "./oracles.ts";

const Verdict = z.object({
  status: z.number(),
  doc: z.looseObject({
    Description: json.optional(),
    Parameters: jsonObject.optional(),
    error: z.object({ type: z.string(), message: z.string() }).optional(),
  }),
});
const Case = z.object({
  id: z.string(),
  group: z.string(),
  body: z.looseObject({ template: json, parameters: jsonObject.optional() }),
  validate: Verdict,
  preview: Verdict,
});
type Case = z.infer<typeof Case>;

const GROUPS = [
  "version",
  "sections",
  "resources",
  "properties",
  "outputs",
  "parameter_groups",
  "params",
  "conditions",
  "os-heat-types",
];
/** Refusals by a plugin and not by a schema. */
const IS_PLUGINS =
  /Length property|"OS::Heat::Value"|Defining more than one|reference can not be found/;

const cases = readCases("templates.json", Case).filter(({ group, body, preview }) => {
  const text = JSON.stringify(body) + (preview.doc.error?.message ?? "");
  return GROUPS.includes(group) && !IS_PLUGINS.test(text);
});

const read = (template: Json) => {
  if (typeof template === "string") return templateIn(readText(template));
  return isJsonObject(template) ? template : {};
};

const check = ({ body }: Case, strict: boolean) => {
  const source = read(body.template);
  const given = body.parameters ?? {};
  const values = parameterValues(parseTemplate(source), given, {}, { strict });
  const template = bound(source, values, { pseudo: PSEUDO });
  finished(validating(template, values, { files: {} }, heatType, { strict }));
  return { template, described: describeParameters(template, given) };
};

const PSEUDO = pseudoParameters(
  { id: "None", name: "teststack", tenant: "test_tenant_id" },
  { version: "2021-04-16" },
);

const titled = (list: readonly Case[]) => list.map((oracle) => [oracle.id, oracle] as const);

/** PyYAML has its own texts for syntax errors. Both name the line and column. */
const withoutSyntax = (message: string) =>
  message.replace(/(Template not in valid format:).*line.*/s, "$1");

describe.runIf(hasOracles)("templates as the real Heat judges them", () => {
  it("has cases", () => expect(cases.length).toBeGreaterThan(60));

  it.each(titled(cases))("%s: at POST /validate", (_, oracle) => {
    const expected = oracle.validate.doc.error ?? null;
    const failure = failureOf(() => check(oracle, false));
    expect(withoutSyntax(failure?.message ?? "")).toBe(withoutSyntax(expected?.message ?? ""));
    if (expected === null) {
      const { template, described } = check(oracle, false);
      expect(described).toEqual(oracle.validate.doc.Parameters);
      expect(template.description).toBe(String(oracle.validate.doc.Description));
    }
  });

  it.each(titled(cases))("%s: at create", (_, oracle) => {
    const expected = oracle.preview.doc.error ?? null;
    const failure = failureOf(() => check(oracle, true));
    expect(withoutSyntax(failure?.message ?? "")).toBe(withoutSyntax(expected?.message ?? ""));
    expect(failure?.code).toBe(expected?.type);
  });
});
