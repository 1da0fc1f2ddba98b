import { describe, expect, it } from "vitest";
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { CFN_VERSIONS, formatOf, isCfn, VERSIONS, type Version } from "#lib/template/format.ts";
import { argumentTexts } from "#lib/template/functions/argument-texts.ts";
import { resolveOutputs } from "#lib/template/functions/resolve.ts";
import { conditionFunctionsOf, functionsOf } from "#lib/template/functions/table.ts";
import { aScope, bound, references } from "../build.ts";
import { failureOf } from "../failure-of.ts";
import { candidatesFor, fits, NAME } from "./argument-examples.ts";

const GIVEN = "given";
const files = { [NAME]: "content" };
const facade = {
  metadata: {},
  deletionPolicy: "Delete",
  updatePolicy: {},
};
const resource = references({ [NAME]: { refId: "i-1", attributes: {}, live: true } });
const keyed = (value: Json): JsonObject => mapOf([NAME, "0", "True"].map((key) => [key, value]));

const header = (version: Version): JsonObject => {
  if (!isCfn(version)) return { heat_template_version: version };
  const [key = "", text = ""] = version.split(".");
  return { [key]: text };
};

interface Trial {
  readonly snippet: Json;
  readonly given: Json;
  readonly isCondition: boolean;
}

const failure = (version: Version, { snippet, given, isCondition }: Trial): string | null => {
  const words = formatOf(version);
  const { conditions } = words.sections;
  const equals = isCfn(version) ? "Fn::Equals" : "equals";
  const source = {
    ...header(version),
    [words.sections.resources]: { [NAME]: { [words.resource.type]: "T" } },
    ...(conditions === null
      ? {}
      : {
          [conditions]: {
            [NAME]: { [equals]: [1, 1] },
            ...(isCondition ? { asked: { [equals]: [snippet, 1] } } : {}),
          },
        }),
    [words.sections.outputs]: {
      o: {
        [words.output.value]: isCondition ? 1 : snippet,
        ...(isCondition ? { [words.output.condition ?? ""]: "asked" } : {}),
      },
    },
    ...(words.sections.mappings === null
      ? {}
      : { [words.sections.mappings]: keyed(keyed(keyed(1))) }),
  };
  const parameters = new Map<string, Json>([
    [NAME, "value"],
    [GIVEN, given],
  ]);
  const scope = { parameters, files, facade, resource };
  let error: string | undefined;
  const refusal = failureOf(() => {
    const template = bound(source, parameters, scope);
    error = resolveOutputs(template, [...template.outputs.values()], aScope(scope))[0]?.error;
  });
  return refusal?.message ?? error ?? null;
};

/** What functions accept by accident, as in Heat. No user should write it. */
const ACCIDENTS: ReadonlySet<string> = new Set(
  [
    // Python iterates over a map, and reads an empty value as an empty list.
    { "Fn::MemberListToMap": [NAME, NAME, {}] },
    { filter: [0, [NAME]] },
    { filter: [[NAME], 0] },
    { filter: [{}, [NAME]] },
    { filter: [[NAME], {}] },
    { list_join: [NAME, 0] },
    { list_join: [NAME, {}] },
    // Python reads true as 1.
    { "Fn::Select": [true, [NAME]] },
    { str_split: [NAME, NAME, true] },
    // Heat does not count these.
    { str_split: [NAME, NAME, 0, NAME] },
    // In yaql a word is a text.
    { yaql: { expression: NAME, data: NAME } },
  ].map((snippet) => JSON.stringify(snippet)),
);

/** `make_url` reads true as a port, too. */
const isAccident = (snippet: JsonObject): boolean =>
  ACCIDENTS.has(JSON.stringify(snippet)) ||
  (isJsonObject(snippet.make_url) && snippet.make_url.port === true);

const callOf = (version: Version): Json => ({ [isCfn(version) ? "Ref" : "get_param"]: GIVEN });

const wrongTrials = (version: Version, isCondition: boolean): readonly string[] => {
  const functions = (isCondition ? conditionFunctionsOf : functionsOf)(version);
  return [...functions.values()].flatMap(({ name, takes }) => {
    if (takes === undefined) return [];
    return candidatesFor(takes, callOf(version)).flatMap(({ value, call }) => {
      const snippet = { [name]: value };
      const reason = failure(version, { snippet, given: call?.given ?? null, isCondition });
      const isRight = call === undefined ? fits(takes.shapes, value) : !call.written;
      if ((reason === null) === isRight || (reason === null && isAccident(snippet))) return [];
      return [`${JSON.stringify(snippet)} ${JSON.stringify(call ?? "")}: ${reason ?? "accepted"}`];
    });
  });
};

const ALL = [...VERSIONS, ...CFN_VERSIONS];

describe("the declared arguments of the functions", () => {
  it.each(ALL)("are those that values of %s take", (version) => {
    expect(wrongTrials(version, false)).toEqual([]);
  });

  it.each(ALL.filter((version) => formatOf(version).sections.conditions !== null))(
    "are those that conditions of %s take",
    (version) => {
      expect(wrongTrials(version, true)).toEqual([]);
    },
  );

  it("are declared by every function that has a description", () => {
    const tables = ALL.flatMap((version) => [functionsOf(version), conditionFunctionsOf(version)]);
    const functions = tables.flatMap((table) => [...table.values()]);
    const odd = functions.filter(({ description, takes }) => !description !== !takes);
    expect(functions.length).toBeGreaterThan(ALL.length);
    expect(odd.map(({ name }) => name)).toEqual([]);
  });
});

describe("the texts about arguments", () => {
  const textsOf = (name: string) => {
    const takes = functionsOf("2021-04-16").get(name)?.takes;
    return takes === undefined ? [] : argumentTexts(takes);
  };

  it("show the places of a list and what stands in them", () => {
    expect(textsOf("str_split")).toEqual([
      {
        form: "[delimiter, text, index?]",
        arguments: [
          {
            name: "delimiter",
            shape: "text or null",
            meaning: "what stands between the parts; null is any space",
          },
          { name: "text", shape: "text or null", meaning: "what has the parts" },
          { name: "index", shape: "integer", meaning: "which part; -1 is the last one" },
        ],
      },
    ]);
  });

  it("show each way to write the arguments", () => {
    expect(textsOf("get_attr").map(({ form }) => form)).toEqual([
      "[resource]",
      "[resource, attribute, part?, …]",
    ]);
    expect(textsOf("repeat").map(({ form }) => form)).toEqual([
      "{template, for_each, permutations?}",
      "{template, for_each, permutations}",
    ]);
    expect(textsOf("get_file").map(({ form }) => form)).toEqual(["text"]);
  });
});
