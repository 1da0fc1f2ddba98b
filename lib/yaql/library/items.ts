/** Membership in the items of a frozen dictionary. Python searches them for pairs only. */
import { equals, keyOf } from "../equality.ts";
import { typeError, valueError } from "../errors.ts";
import {
  type Collection,
  charactersOf,
  Dictionary,
  isMany,
  iterate,
  typeOf,
  type Value,
} from "../values.ts";

const PAIR = 2;

const membersOf = (value: Value): readonly Value[] => {
  if (typeof value === "string") return charactersOf(value);
  if (value instanceof Dictionary) return [...value.entries.values()].map(([key]) => key);
  if (isMany(value)) return [...iterate(value)];
  throw typeError(`cannot unpack non-iterable ${typeOf(value)} object`);
};

export const areItems = (collection: Collection): boolean =>
  collection.kind === "items" && collection.dictionary?.isFrozen === true;

export const isAmongItems = ({ dictionary }: Collection, value: Value): boolean => {
  const members = membersOf(value);
  const [key = null, wanted = null] = members;
  if (members.length > PAIR) throw valueError(`too many values to unpack (expected ${PAIR})`);
  if (members.length < PAIR) {
    throw valueError(`not enough values to unpack (expected ${PAIR}, got ${members.length})`);
  }
  const entry = dictionary?.entries.get(keyOf(key));
  return entry !== undefined && equals(entry[1], wanted);
};
