import { validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json } from "#lib/json.ts";
import { member } from "../json-shape.ts";
import { itemsOf } from "../python-sequence.ts";
import { pythonRepr, pythonText } from "../python-text.ts";
import { argument, row, SCALAR, takesWritten } from "./arguments.ts";
import { wrongItems } from "./cloudformation.ts";
import type { TemplateFunction } from "./function.ts";

const KEYS = 3;

const wrongCount = (count: number): string =>
  pythonRepr(
    count < KEYS
      ? `not enough values to unpack (expected ${KEYS}, got ${count})`
      : `too many values to unpack (expected ${KEYS})`,
  );

export const findInMap: TemplateFunction = {
  name: "Fn::FindInMap",
  description: "A value of the Mappings section.",
  takes: takesWritten(
    row(
      argument("map", "the name of the mapping", SCALAR),
      argument("key", "a key in it", SCALAR),
      argument("name", "a key below the first one", SCALAR),
    ),
  ),
  mayStandInCondition: true,
  refuse: (args, isCall) => wrongItems(args, isCall, KEYS, wrongCount(itemsOf(args)?.length ?? 0)),
  evaluate: (args, { resolve, mappings }) => {
    const keys = (itemsOf(args) ?? []).map(resolve);
    return keys.reduce<Json>((map, key) => {
      const value = isJsonObject(map) ? member(map, pythonText(key)) : undefined;
      if (value !== undefined) return value;
      throw validationFailed(`The mappings have no value at ${keys.map(pythonRepr).join(", ")}`);
    }, mappings);
  },
};
