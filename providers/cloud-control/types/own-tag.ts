/**
 * Hearth finds its own object by this tag after AWS has forgotten the token. Templates cannot see
 * or change the tag.
 */

import { createHash } from "node:crypto";
import type { Json, JsonObject } from "#provider/provider.ts";
import { isList, isObject } from "#providers/values.ts";
import type { TypeTable } from "../tables/type-table.ts";

const KEY = "hearth:operation";
const AWS_PREFIX = "aws:";

const isOwn = (key: Json | undefined): boolean => key === KEY;
const isOfNoTemplate = (key: Json | undefined): boolean =>
  isOwn(key) || (typeof key === "string" && key.startsWith(AWS_PREFIX));

const keyOf = (tag: Json): Json | undefined => (isObject(tag) ? tag["Key"] : undefined);

export const withOwnTag = (table: TypeTable, model: JsonObject, value: string): JsonObject => {
  const { tags } = table;
  if (tags === undefined) return model;
  const { [tags.property]: given } = model;
  const tagged: Json =
    tags.form === "map"
      ? { ...(isObject(given) ? given : {}), [KEY]: value }
      : [...(isList(given) ? given : []), { Key: KEY, Value: value }];
  return { ...model, [tags.property]: tagged };
};

const tagIn = ({ tags }: TypeTable, model: JsonObject, key: string): string | null => {
  const given = tags && model[tags.property];
  if (isObject(given)) return typeof given[key] === "string" ? given[key] : null;
  if (!isList(given)) return null;
  const found = given.find((tag) => keyOf(tag) === key);
  return isObject(found) && typeof found["Value"] === "string" ? found["Value"] : null;
};

export const ownTagOf = (table: TypeTable, model: JsonObject): string | null =>
  tagIn(table, model, KEY);

/** EC2 objects of `OS::*` types have this tag too. They are listed with those types instead. */
const KEY_OF_EC2 = "hearth:tenant";

export const isMadeHere = (table: TypeTable, model: JsonObject): boolean =>
  ownTagOf(table, model) !== null && tagIn(table, model, KEY_OF_EC2) === null;

export const withoutForeignTags = ({ tags }: TypeTable, model: JsonObject): JsonObject => {
  const given = tags && model[tags.property];
  if (tags === undefined || given === undefined) return model;
  if (isList(given)) {
    return { ...model, [tags.property]: given.filter((tag) => !isOfNoTemplate(keyOf(tag))) };
  }
  if (!isObject(given)) return model;
  const left = Object.entries(given).filter(([key]) => !isOfNoTemplate(key));
  return { ...model, [tags.property]: Object.fromEntries(left) };
};

/** AWS accepts 128 characters, and fewer signs than Hearth's tokens contain. */
export const clientTokenOf = (...parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\n")).digest("hex");
