import { describe, expect, it } from "vitest";
import * as z from "zod";
import { mergeEnvironments, parseEnvironment } from "#lib/template/environment.ts";
import { environmentIn, parseTemplate, readText } from "#lib/template/parse.ts";
import { failureOf, hasOracles, jsonObject, readCases } from "./oracles.ts";

const Case = z.object({
  id: z.string(),
  op: z.string(),
  template_parameters: jsonObject.optional(),
  files: z.array(z.string()).optional(),
  expected: z.object({ parameters: jsonObject, parameter_defaults: jsonObject }).optional(),
  error: z.looseObject({ message: z.string().optional() }).optional(),
});
type Case = z.infer<typeof Case>;

const cases = readCases("environment.json", Case).filter(
  ({ op, files }) =>
    op === "merge_environment_files" && !files?.join().includes("resource_registry"),
);

const merge = (oracle: Case) => {
  const template = parseTemplate({
    heat_template_version: "2021-04-16",
    parameters: oracle.template_parameters ?? {},
  });
  const files = (oracle.files ?? []).map((text) => parseEnvironment(environmentIn(readText(text))));
  return mergeEnvironments(parseEnvironment({}), files, template);
};

const titled = (list: readonly Case[]) => list.map((oracle) => [oracle.id, oracle] as const);

describe.runIf(hasOracles)("environment files as the real Heat merges them", () => {
  it.each(titled(cases.filter(({ error }) => error === undefined)))("%s: merged", (_, oracle) => {
    const { parameters, parameterDefaults } = merge(oracle);
    expect(parameters).toEqual(oracle.expected?.parameters);
    expect(parameterDefaults).toEqual(oracle.expected?.parameter_defaults);
  });

  it.each(titled(cases.filter(({ error }) => error !== undefined)))("%s: refused", (_, oracle) => {
    const failure = failureOf(() => merge(oracle));
    const expected = oracle.error?.message ?? "";
    // PyYAML has its own texts for syntax errors.
    if (expected.startsWith("while parsing"))
      expect(failure?.message).toMatch(/line 1, column \d+/);
    else expect(failure?.message).toContain(expected);
  });
});
