import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";
import { jsonText } from "#lib/template/python-text.ts";
import type { Lane } from "./lane.ts";
import { type Rule, rulesFor } from "./rules.ts";

export type Comparison =
  | { readonly kind: "equal"; readonly accepted: boolean }
  | { readonly kind: "known"; readonly rule: Rule }
  | {
      readonly kind: "different";
      readonly want: string;
      readonly got: string;
      readonly sort: string;
    };

export const sortedText = (value: JsonObject): string => jsonText(value, { sortKeys: true });
/** The order of the answer's own keys does not count, but the order inside its values does. */
const textInOrder = (answer: JsonObject): string =>
  Object.keys(answer)
    .sort()
    .map((key) => jsonText(answer[key] ?? null, { sortKeys: false }))
    .join(" ");

/** Differences of the same sort mostly have the same cause. */
const sortOf = ({ phase = null, type = null }: JsonObject): string => `${phase} ${type}`;

const isRefusal = (answer: JsonObject): boolean => Object.hasOwn(answer, "message");

const withoutOrder = (value: Json): Json => {
  if (isJsonArray(value)) {
    return value
      .map(withoutOrder)
      .toSorted((left, right) => (itemText(left) < itemText(right) ? -1 : 1));
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutOrder(inner)]),
  );
};

const itemText = (value: Json): string => jsonText(value, { sortKeys: true });

const allows = ({ counts }: Rule, theirs: JsonObject, ours: JsonObject): boolean => {
  switch (counts) {
    case "nothing":
      return true;
    case "verdict":
      return isRefusal(theirs) && isRefusal(ours);
    case "values":
      return isRefusal(theirs) || isRefusal(ours);
    case "items":
      return itemText(withoutOrder(theirs)) === itemText(withoutOrder(ours));
  }
};

export const compare = (
  lane: Lane,
  question: JsonObject,
  theirs: JsonObject,
  ours: JsonObject,
): Comparison => {
  const left = lane.compared(theirs, question);
  const right = lane.compared(ours, question);
  const [want, got] = [sortedText(left), sortedText(right)];
  if (want === got && textInOrder(left) === textInOrder(right))
    return { kind: "equal", accepted: !isRefusal(left) };
  const rule = rulesFor(question).find((one) => allows(one, left, right));
  return rule === undefined
    ? { kind: "different", want, got, sort: `${sortOf(theirs)}, ${sortOf(ours)}` }
    : { kind: "known", rule };
};
