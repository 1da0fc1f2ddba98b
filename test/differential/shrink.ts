/** Makes a question smaller for as long as its answers differ. */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";

const TRIES_MAX = 400;

const without = (value: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([other]) => other !== key));

function* smaller(value: Json): Generator<Json> {
  if (isJsonArray(value)) {
    for (const item of value) yield item;
    for (const at of value.keys()) yield value.filter((_, index) => index !== at);
    for (const [at, item] of value.entries()) {
      for (const less of smaller(item)) yield value.with(at, less);
    }
  } else if (isJsonObject(value)) {
    for (const inner of Object.values(value)) yield inner;
    for (const key of Object.keys(value)) yield without(value, key);
    for (const [key, inner] of Object.entries(value)) {
      for (const less of smaller(inner)) yield { ...value, [key]: less };
    }
  }
}

/** The upper `levels` of the value stay as they are. */
function* smallerBelow(value: Json, levels: number): Generator<Json> {
  if (levels === 0 || !isJsonObject(value)) yield* smaller(value);
  else {
    for (const [key, inner] of Object.entries(value)) {
      for (const less of smallerBelow(inner, levels - 1)) yield { ...value, [key]: less };
    }
  }
}

/** The sections of a template that may become smaller, with the number of levels that stay. */
const SECTIONS: readonly (readonly [string, number])[] = [
  ["outputs", 2],
  ["resources", 3],
  ["conditions", 1],
];

function* smallerTemplates(template: Json): Generator<Json> {
  if (!isJsonObject(template)) return;
  for (const [name, levels] of SECTIONS) {
    const key = Object.keys(template).find((one) => one.toLowerCase() === name);
    if (key === undefined) continue;
    for (const less of smallerBelow(template[key] ?? null, levels))
      yield { ...template, [key]: less };
  }
}

const PARTS: readonly (readonly [string, number])[] = [
  ["parameters", 1],
  ["schema", 0],
  ["value", 0],
  ["files", 1],
  ["given", 1],
  ["properties", 0],
];
const OPTIONAL_PARTS = ["states", "files", "fallback"];

function* smallerQuestions(question: JsonObject): Generator<JsonObject> {
  for (const part of OPTIONAL_PARTS) {
    if (Object.hasOwn(question, part)) yield without(question, part);
  }
  for (const less of smallerTemplates(question["template"] ?? null)) {
    yield { ...question, template: less };
  }
  for (const [part, levels] of PARTS) {
    const value = question[part];
    if (value === undefined) continue;
    for (const less of smallerBelow(value, levels)) yield { ...question, [part]: less };
  }
}

const step = async (
  question: JsonObject,
  differs: (question: JsonObject) => Promise<boolean>,
  tries: { left: number },
): Promise<JsonObject | null> => {
  for (const less of smallerQuestions(question)) {
    if (tries.left <= 0) return null;
    tries.left -= 1;
    if (await differs(less)) return less;
  }
  return null;
};

export const shrunk = async (
  question: JsonObject,
  differs: (question: JsonObject) => Promise<boolean>,
): Promise<JsonObject> => {
  const tries = { left: TRIES_MAX };
  let smallest = question;
  for (;;) {
    const less = await step(smallest, differs, tries);
    if (less === null) return smallest;
    smallest = less;
  }
};
