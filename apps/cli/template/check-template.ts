/** Asks the host repeatedly what is wrong with a template, until all problems are known. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Client } from "#client/client.ts";
import { PreviewAnswer, ValidateAnswer } from "#client/wire.ts";
import { type DocumentPath, valueAt } from "#lib/authoring/document-path.ts";
import {
  type AuthoredDocument,
  findProblems,
  type Problem,
  type Refusal,
} from "#lib/authoring/find-problems.ts";
import { documentWords } from "#lib/authoring/template-words.ts";
import { RequestError, SeveralErrors } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { type StackInputs, stackFiles } from "./files.ts";

export type Validation = z.infer<typeof ValidateAnswer>;

export interface Checked {
  readonly problems: readonly Problem[];
  readonly areAll: boolean;
  readonly validation: Validation | null;
  /** The parameters without a value. What depends on them is not checked. */
  readonly missing: readonly string[];
}

const REFUSED_STATUSES = [400, 404];

/** A host that does not know this option reports only the first error. */
const ALL = "?all_errors=true";

/** @returns an empty list when the host accepts the request. */
const refusalsOf = async (asked: Promise<unknown>): Promise<readonly Refusal[]> => {
  try {
    await asked;
    return [];
  } catch (error) {
    if (!(error instanceof RequestError && REFUSED_STATUSES.includes(error.status))) throw error;
    const others = error instanceof SeveralErrors ? error.others : [];
    return [error, ...others].map(({ code, message }) => ({ code, message }));
  }
};

const withoutValue = ({ Parameters }: Validation, parameters: JsonObject): readonly string[] =>
  Object.entries(Parameters)
    .filter(
      ([name, { Default, Value }]) =>
        Default === undefined && Value === undefined && !Object.hasOwn(parameters, name),
    )
    .map(([name]) => name);

const fromCommandLine = (parameters: JsonObject): AuthoredDocument => ({
  kind: "environment",
  file: "--parameter",
  text: null,
  content: { parameters },
});

export const checkTemplate = async (
  client: Client,
  inputs: StackInputs,
  parameters: JsonObject,
): Promise<Checked> => {
  let validation: Validation | null = null;
  let missing: readonly string[] = [];
  const ask = async (contents: readonly JsonObject[]): Promise<readonly Refusal[]> => {
    const given = contents.at(-1)?.["parameters"] ?? null;
    const values = isJsonObject(given) ? given : {};
    const body = { ...stackFiles(inputs, contents.slice(0, -1)), parameters: values };
    validation = null;
    const refusals = await refusalsOf(
      (async () => {
        const answer = await client.request("POST", `/validate${ALL}`, ValidateAnswer, body);
        validation = answer;
        missing = withoutValue(answer, values);
      })(),
    );
    if (refusals.length > 0 || missing.length > 0) return refusals;
    // The preview checks values as a create does.
    const preview = { ...body, stack_name: `validate-${randomUUID()}` };
    return refusalsOf(client.request("POST", `/stacks/preview${ALL}`, PreviewAnswer, preview));
  };
  const documents = [...inputs.documents, fromCommandLine(parameters)];
  const { problems, areAll } = await findProblems(documents, inputs.nested, {
    ask,
    wordsFor: wordsFrom(client),
  });
  // A missing parameter that an error names needs no second line.
  const isTold = (name: string): boolean => problems.some(({ message }) => message.includes(name));
  return { problems, areAll, validation, missing: missing.filter((name) => !isTold(name)) };
};

const TypesAnswer = z.looseObject({ resource_types: z.array(z.string()) });
const Names = z.record(z.string(), z.unknown());
const TypeAnswer = z.looseObject({ properties: Names, attributes: Names });

const wordsFrom = (client: Client) => {
  let types: readonly string[] | null = null;
  const wordsOf = new Map<string, readonly string[]>();
  const typeWords = async (type: string): Promise<readonly string[]> => {
    const known = wordsOf.get(type);
    if (known !== undefined) return known;
    const route = `/resource_types/${encodeURIComponent(type)}`;
    const { properties, attributes } = await client.request("GET", route, TypeAnswer);
    const words = [...Object.keys(properties), ...Object.keys(attributes)];
    wordsOf.set(type, words);
    return words;
  };
  return async (content: JsonObject, path: DocumentPath): Promise<readonly string[]> => {
    types ??= (await client.request("GET", "/resource_types", TypesAnswer)).resource_types;
    const words: string[] = [...documentWords(content), ...types];
    for (const type of typesAround(content, path)) {
      if (types.includes(type)) words.push(...(await typeWords(type)));
    }
    return words;
  };
};

const typeOf = (resource: Json | undefined): readonly string[] => {
  const keys = resource !== undefined && isJsonObject(resource) ? resource : {};
  const type = keys["type"] ?? keys["Type"];
  return typeof type === "string" ? [type] : [];
};

const typesAround = (content: JsonObject, path: DocumentPath): readonly string[] => {
  const own = valueAt(content, path.slice(0, 2));
  const call = valueAt(content, path.slice(0, -1));
  const [name] = Array.isArray(call) ? call : [];
  const section = content["resources"] ?? content["Resources"] ?? null;
  const read = typeof name === "string" ? valueAt(section, [name]) : undefined;
  return [...typeOf(own), ...typeOf(read)];
};
