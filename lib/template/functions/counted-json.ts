import type { Json } from "#lib/json.ts";
import { JSON_CHARACTERS } from "../limits.ts";
import { jsonText } from "../python-text.ts";
import type { Evaluation } from "./function.ts";

export const countedJson = (
  functionName: string,
  value: Json,
  { budget }: Pick<Evaluation, "budget">,
): string => {
  const text = jsonText(value, { sortKeys: true });
  budget.search(functionName, text.length * JSON_CHARACTERS);
  return text;
};
