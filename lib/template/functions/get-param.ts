import { RequestError, validationFailed } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import { characterAt, isCollection, isEmpty, isJsonArray, member } from "../json-shape.ts";
import { integerFromText } from "../numbers.ts";
import { ANY, argument, optional, rowWithRest, TEXT, takes } from "./arguments.ts";
import type { Evaluation, TemplateFunction } from "./function.ts";

/** Python's index rules: negative ones count from the end, and true is 1. */
const position = (key: Json): number | undefined => {
  if (typeof key === "boolean") return Number(key);
  if (typeof key === "number") return Number.isInteger(key) ? key : undefined;
  const index = typeof key === "string" ? integerFromText(key) : null;
  return typeof index === "number" ? index : undefined;
};

const step = ({ budget }: Evaluation, collection: Json, key: Json): Json | undefined => {
  if (typeof collection === "string") {
    const at = position(key);
    if (at === undefined) return undefined;
    budget.search("get_param", Math.min(Math.abs(at), collection.length));
    return characterAt(collection, at);
  }
  if (!isCollection(collection)) return undefined;
  if (isJsonArray(collection)) {
    const at = position(key);
    return at === undefined ? undefined : collection.at(at);
  }
  return typeof key === "string" ? member(collection, key) : undefined;
};

export const getParam: TemplateFunction = {
  name: "get_param",
  description: "The value of a parameter or a part of it.",
  takes: takes(
    TEXT,
    rowWithRest(
      argument("parameter", "the name of the parameter", TEXT),
      optional(argument("part", "a key or an index in the value before it", ANY)),
    ),
  ),
  mayStandInCondition: true,
  // Heat checks the arguments when it resolves them, so an unused get_param is never wrong.
  refuse: () => null,
  refersTo: (args) => ({
    kind: "parameter",
    parameter: isJsonArray(args) ? (args[0] ?? null) : args,
  }),
  evaluate: (unresolved, evaluation) => {
    const args = evaluation.resolve(unresolved);
    if (isEmpty(args)) throw validationFailed('Function "get_param" must have arguments');
    if (typeof args !== "string" && !isJsonArray(args)) {
      throw validationFailed('Argument to "get_param" must be string or list');
    }
    const [name, ...path] = typeof args === "string" ? [args] : args;
    if (typeof name !== "string")
      throw validationFailed('Parameter name in "get_param" must be string');
    let value: Json | undefined =
      evaluation.parameters.get(name) ?? member(evaluation.pseudo, name);
    if (value === undefined) {
      throw new RequestError(
        "UserParameterMissing",
        400,
        `The Parameter (${name}) was not provided.`,
      );
    }
    for (const key of path) {
      value = step(evaluation, value, key);
      if (value === undefined) return "";
    }
    return value;
  },
};
