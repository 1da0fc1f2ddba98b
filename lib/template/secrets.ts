/** Keeps the values of hidden parameters out of texts. */
import { isJsonNumber, type Json, type JsonObject } from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";
import { isCollection, isJsonArray } from "./json-shape.ts";
import { pythonRepr } from "./python-text.ts";
import type { ParsedTemplate } from "./template.ts";

/** How Heat shows a hidden value. */
export const REDACTED = "******";

export const redactMembers = (
  values: JsonObject,
  isSecret: (name: string) => boolean,
): JsonObject =>
  mapOf(Object.entries(values).map(([name, value]) => [name, isSecret(name) ? REDACTED : value]));

/** Shorter secrets are replaced only as whole words. Gaps inside words would reveal them. */
const ANYWHERE_CHARACTERS_MIN = 4;

const leaves = (value: Json): readonly Json[] => {
  if (!isCollection(value)) return [value];
  return (isJsonArray(value) ? value : Object.values(value)).flatMap(leaves);
};

/** Every form in which an error can show a hidden value or a part of it. Longest first. */
export const secretTexts = (
  template: ParsedTemplate,
  parameters: ReadonlyMap<string, Json>,
): readonly string[] => {
  const texts = new Set<string>();
  for (const [name, schema] of template.parameters) {
    const value = schema.hidden ? parameters.get(name) : undefined;
    for (const leaf of value === undefined ? [] : leaves(value)) {
      if (typeof leaf !== "string" && !isJsonNumber(leaf)) continue;
      texts.add(String(leaf));
      // Inside quotes a backslash or a line break takes two characters.
      texts.add(pythonRepr(leaf).replace(/^['"]|['"]$/g, ""));
      texts.add(JSON.stringify(leaf).replace(/^"|"$/g, ""));
    }
  }
  texts.delete("");
  return [...texts].sort((left, right) => right.length - left.length);
};

const standingAlone = (secret: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])${secret.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?![\\p{L}\\p{N}])`,
    "gu",
  );

export const redact = (message: string, secrets: readonly string[]): string =>
  secrets.reduce(
    (text, secret) =>
      text.replaceAll(
        secret.length < ANYWHERE_CHARACTERS_MIN ? standingAlone(secret) : secret,
        REDACTED,
      ),
    message,
  );
