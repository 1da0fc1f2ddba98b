/**
 * Macros choose which parts of a template exist, before anything else reads them. All other calls
 * are checked on the way, as Heat builds them.
 */
import { validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, mapOf } from "#lib/json.ts";
import { type Conditions, InvalidCondition } from "./conditions.ts";
import { type Call, callIn, type FunctionTable, isRemovedCall } from "./functions/table.ts";
import { isJsonArray } from "./json-shape.ts";

const choose = (
  functions: FunctionTable,
  { definition, args }: Call,
  place: string,
  conditions: Conditions,
): readonly Json[] => {
  const wrong = definition.refuse(args, (inner) => callIn(functions, inner) !== null);
  if (wrong !== null) throw validationFailed(`${place}: ${wrong}`);
  try {
    const decide = (condition: Json): boolean => conditions.decide(condition, definition.name);
    return definition.choose?.(args, decide) ?? [];
  } catch (failure) {
    if (!(failure instanceof InvalidCondition)) throw failure;
    throw validationFailed(`${place}: ${failure.message}`);
  }
};

const checkCall = (functions: FunctionTable, snippet: Json, place: string): void => {
  const call = callIn(functions, snippet);
  const wrong = call?.definition.refuse(call.args, (inner) => callIn(functions, inner) !== null);
  if (call === null || wrong === null) return;
  throw validationFailed(`${place}.${call.definition.name}: ${wrong}`);
};

export const bindMacros = (
  functions: FunctionTable,
  snippet: Json,
  place: string,
  conditions: Conditions,
): Json => {
  const bind = (inner: Json, innerPlace: string): Json => {
    if (isJsonArray(inner)) {
      const items = inner.map((item, index) => bind(item, `${innerPlace}[${index}]`));
      return items.every((item, index) => item === inner[index]) ? inner : items;
    }
    if (!isJsonObject(inner)) return inner;
    const call = callIn(functions, inner);
    if (call?.definition.choose !== undefined) {
      const { name } = call.definition;
      const macroPlace = `${innerPlace}.${name}`;
      const chosen = choose(functions, call, macroPlace, conditions).map((value) =>
        bind(value, macroPlace),
      );
      return { [name]: chosen.filter((value) => !isRemovedCall(functions, value)) };
    }
    const members = Object.entries(inner).map(([key, value]): [string, Json] => [
      key,
      bind(value, `${innerPlace}.${key}`),
    ]);
    const isSame = members.every(([key, value]) => value === inner[key]);
    const bound = isSame ? inner : mapOf(members);
    checkCall(functions, bound, innerPlace);
    return bound;
  };
  return bind(snippet, place);
};
