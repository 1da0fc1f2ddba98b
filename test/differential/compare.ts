/** How two answers to one question compare. */
import type { JsonObject } from "#lib/json.ts";
import { jsonText } from "#lib/template/python-text.ts";
import type { Lane } from "./lane.ts";
import { type Rule, ruleFor } from "./rules.ts";

export type Comparison =
  | { readonly kind: "equal"; readonly accepted: boolean }
  /** Only the order of keys differs. */
  | { readonly kind: "order" }
  | { readonly kind: "known"; readonly rule: Rule }
  | {
      readonly kind: "different";
      readonly want: string;
      readonly got: string;
      readonly sort: string;
    };

export const sortedText = (value: JsonObject): string => jsonText(value, { sortKeys: true });
/** The answer itself has no order, and its values have one. */
const textInOrder = (answer: JsonObject): string =>
  Object.keys(answer)
    .sort()
    .map((key) => jsonText(answer[key] ?? null, { sortKeys: false }))
    .join(" ");

/** Differences of one sort have one cause, mostly. */
const sortOf = ({ phase = null, type = null }: JsonObject): string => `${phase} ${type}`;

/** Both lanes answer an error with its message. */
const isRefusal = (answer: JsonObject): boolean => Object.hasOwn(answer, "message");

const allows = ({ counts }: Rule, theirs: JsonObject, ours: JsonObject): boolean => {
  if (counts === "nothing") return true;
  if (isRefusal(theirs) && isRefusal(ours)) return true;
  return counts === "kind" && isRefusal(theirs) === isRefusal(ours);
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
    return { kind: "equal", accepted: !isRefusal(theirs) };
  if (want === got) return { kind: "order" };
  const rule = ruleFor(question).find((one) => allows(one, theirs, ours));
  return rule === undefined
    ? { kind: "different", want, got, sort: `${sortOf(theirs)}, ${sortOf(ours)}` }
    : { kind: "known", rule };
};
