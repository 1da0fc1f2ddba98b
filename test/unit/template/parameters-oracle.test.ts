import { describe, expect, it } from "vitest";
import * as z from "zod";
import { describeParameters, parameterText } from "#lib/template/parameters.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import { parameterValues } from "./build.ts";
import { failureOf, hasOracles, json, jsonObject, readCases } from "./oracles.ts";

const Case = z.object({
  id: z.string(),
  version: z.string(),
  schema: json,
  name: z.string(),
  value: json.optional(),
  parameter_default: json.optional(),
  expected: json.optional(),
  text: z.string().optional(),
  error: z.object({ phase: z.string(), type: z.string(), message: z.string() }).optional(),
  validateStatus: z.number(),
  apiParameter: jsonObject.optional(),
});
type Case = z.infer<typeof Case>;

/** Numbers that JSON lacks, such as infinity. */
const isBeyondJson = ({ expected }: Case): boolean =>
  JSON.stringify(expected ?? null).includes('{"$');
/** Python's own errors for numbers in text parameters. Hearth reads the text of the number. */
const isPythons = ({ error }: Case): boolean => error?.type === "TypeError";

const cases = readCases("parameters.json", Case).filter(
  (oracle) => !isBeyondJson(oracle) && !isPythons(oracle),
);

const parse = ({ version, name, schema }: Case) =>
  parseTemplate({ heat_template_version: version, parameters: { [name]: schema } });
const givenOf = ({ name, value }: Case) => (value === undefined ? {} : { [name]: value });
const defaultsOf = ({ name, parameter_default: value }: Case) =>
  value === undefined ? {} : { [name]: value };

const resolve = (oracle: Case) => {
  const template = parse(oracle);
  return { template, values: parameterValues(template, givenOf(oracle), defaultsOf(oracle)) };
};

const titled = (list: readonly Case[]) => list.map((oracle) => [oracle.id, oracle] as const);

describe.runIf(hasOracles)("parameters as the real Heat reads them", () => {
  it.each(titled(cases.filter(({ error }) => error === undefined)))(
    "%s: value and text",
    (_, oracle) => {
      const { template, values } = resolve(oracle);
      expect(values.get(oracle.name)).toEqual(oracle.expected);
      const schema = template.parameters.get(oracle.name);
      const text = schema && parameterText(schema, values.get(oracle.name) ?? null);
      expect(text).toBe(oracle.text);
    },
  );

  it.each(titled(cases.filter(({ error }) => error !== undefined)))("%s: refused", (_, oracle) => {
    const failure = failureOf(() => resolve(oracle));
    expect(failure?.message).toBe(oracle.error?.message);
    // In Heat a bound that is not a number is Python's ValueError.
    if (oracle.error?.type !== "ValueError") expect(failure?.code).toBe(oracle.error?.type);
  });

  it.each(titled(cases.filter(({ validateStatus }) => validateStatus === 400)))(
    "%s: refused by POST /validate too",
    (_, oracle) => {
      expect(failureOf(() => parse(oracle))).not.toBeNull();
    },
  );

  it.each(titled(cases.filter(({ apiParameter }) => apiParameter !== undefined)))(
    "%s: described",
    (_, oracle) => {
      const template = parse(oracle);
      parameterValues(template, givenOf(oracle), defaultsOf(oracle), { strict: false });
      const described = describeParameters(template, givenOf(oracle), defaultsOf(oracle));
      expect(described[oracle.name]).toEqual(oracle.apiParameter);
    },
  );
});
