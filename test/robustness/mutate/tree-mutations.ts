import { isJsonObject, type Json } from "#lib/json.ts";
import { isCollection, isJsonArray } from "#lib/template/json-shape.ts";
import type { Dice } from "../dice.ts";
import type { Names } from "../generate/names.ts";
import { aKey, aScalar } from "../generate/scalars.ts";
import { aValue } from "../generate/values.ts";

export const subtrees = (document: Json): readonly Json[] => {
  const found: Json[] = [document];
  for (let at = 0; at < found.length; at += 1) {
    const value = found[at] ?? null;
    if (isCollection(value)) found.push(...Object.values(value));
  }
  return found;
};

interface Change {
  readonly target: number;
  readonly apply: (value: Json) => Json;
}

const changed = (document: Json, { target, apply }: Change): Json => {
  let seen = -1;
  const walk = (value: Json): Json => {
    seen += 1;
    if (seen === target) return apply(value);
    if (isJsonArray(value)) return value.map(walk);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item)]));
  };
  return walk(document);
};

const renameKey = (value: Json, dice: Dice): Json => {
  if (!isJsonObject(value)) return aScalar(dice);
  const entries = Object.entries(value);
  const at = dice.below(Math.max(entries.length, 1));
  return Object.fromEntries(
    entries.map(([key, item], index) => [index === at ? aKey(dice) : key, item]),
  );
};

const dropMember = (value: Json, dice: Dice): Json => {
  if (!isCollection(value)) return null;
  const at = dice.below(Math.max(Object.keys(value).length, 1));
  if (isJsonArray(value)) return value.filter((_, index) => index !== at);
  return Object.fromEntries(Object.entries(value).filter((_, index) => index !== at));
};

const wrap = (value: Json, dice: Dice): Json =>
  dice.chance(50) ? [value] : { [aKey(dice)]: value };

/** Names that occur in many templates, so that a call sometimes finds what it looks for. */
const NAMES: Names = {
  format: "hot",
  attributes: new Map(),
  parameters: ["image", "flavor", "key_name", "public_net", "count"],
  resources: ["server", "server1", "config", "group", "network"],
  conditions: ["is_prod"],
  files: ["child.yaml"],
};

export const mutatedTree = (document: Json, other: Json, dice: Dice): Json => {
  let tree = document;
  for (let left = 1 + dice.below(3); left > 0; left -= 1) {
    const values = subtrees(tree);
    const target = dice.below(values.length);
    const kind = dice.below(8);
    const apply = (value: Json): Json => {
      if (kind < 2) return dice.pick(values);
      if (kind === 2) return dice.pick(subtrees(other));
      if (kind === 3) return renameKey(value, dice);
      if (kind === 4) return dropMember(value, dice);
      if (kind === 5) return wrap(value, dice);
      return kind === 6 ? aValue(dice, NAMES) : aScalar(dice);
    };
    tree = changed(tree, { target, apply });
  }
  return tree;
};
