import { validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json } from "#lib/json.ts";
import { isCollection, isJsonArray } from "../json-shape.ts";
import type { CallReference } from "./function.ts";
import { type Call, callIn, type FunctionTable } from "./table.ts";

const seenArguments = ({ definition, args }: Call): Json =>
  definition.choose !== undefined && isJsonArray(args) ? (args[0] ?? null) : args;

/** Visits inner calls first, as Heat builds them. `place` is the dotted path of the call. */
const visitCalls = (
  functions: FunctionTable,
  snippet: Json,
  place: string,
  visit: (call: Call, place: string) => void,
): void => {
  if (!isCollection(snippet)) return;
  if (isJsonArray(snippet)) {
    snippet.forEach((item, index) => {
      if (isCollection(item)) visitCalls(functions, item, `${place}[${index}]`, visit);
    });
    return;
  }
  const call = callIn(functions, snippet);
  if (call !== null) {
    visitCalls(functions, seenArguments(call), `${place}.${call.definition.name}`, visit);
    visit(call, place);
    return;
  }
  for (const key of Object.keys(snippet)) {
    const value = snippet[key] ?? null;
    if (isCollection(value)) visitCalls(functions, value, `${place}.${key}`, visit);
  }
};

export const visitReferences = (
  functions: FunctionTable,
  snippet: Json,
  place: string,
  visit: (reference: CallReference, argsPlace: string, callPlace: string) => void,
): void => {
  visitCalls(functions, snippet, place, ({ definition, args }, callPlace) => {
    const reference = definition.refersTo?.(args);
    if (reference !== undefined) visit(reference, `${callPlace}.${definition.name}`, callPlace);
  });
};

export const resourceNamed = (reference: CallReference): string | null => {
  const named = "resource" in reference ? reference.resource : null;
  const name = reference.kind === "either" ? reference.name : named;
  return typeof name === "string" ? name : null;
};

export const resourcesIn = (functions: FunctionTable, value: Json): readonly string[] => {
  const names: string[] = [];
  visitReferences(functions, value, "", (reference) => {
    const name = resourceNamed(reference);
    if (name !== null) names.push(name);
  });
  return names;
};

export const hasCalls = (functions: FunctionTable, snippet: Json): boolean => {
  let has = false;
  visitCalls(functions, snippet, "", () => {
    has = true;
  });
  return has;
};

/**
 * Visits inner calls first, as Heat validates the calls that it has built. As in Heat, the message
 * of an inner call begins with the place of the outer one (`before`).
 */
export const visitBuiltCalls = (
  functions: FunctionTable,
  snippet: Json,
  place: string,
  visit: (call: Call, before: string) => void,
  before = "",
): void => {
  if (isJsonArray(snippet)) {
    snippet.forEach((item, index) => {
      visitBuiltCalls(functions, item, `${place}[${index}]`, visit, before);
    });
  }
  if (!isJsonObject(snippet)) return;
  const path = place === "" ? "" : `${place}.`;
  const call = callIn(functions, snippet);
  if (call === null) {
    for (const [key, value] of Object.entries(snippet)) {
      // Heat cannot distinguish such a key from the index of a list.
      const inner = /^\d+$/.test(key) ? `${place}[${key}]` : path + key;
      visitBuiltCalls(functions, value, inner, visit, before);
    }
    return;
  }
  const { definition } = call;
  const callPlace = `${before}${path}${definition.name}: `;
  if (!definition.hidesArguments) {
    visitBuiltCalls(functions, seenArguments(call), "", visit, callPlace);
  }
  visit(call, callPlace);
};

export const checkCalls = (functions: FunctionTable, snippet: Json, place: string): void => {
  const isCall = (inner: Json): boolean => callIn(functions, inner) !== null;
  visitCalls(functions, snippet, place, ({ definition, args }, callPlace) => {
    const error = definition.refuse(args, isCall);
    if (error !== null) throw validationFailed(`${callPlace}.${definition.name}: ${error}`);
  });
};

/** Checks what Heat finds only when it validates a call that it has built. */
export const checkCallsLater = (functions: FunctionTable, snippet: Json, place: string): void => {
  let isChecked = true;
  visitCalls(functions, snippet, place, ({ definition }) => {
    if (definition.refuseLater !== undefined) isChecked = false;
  });
  if (isChecked) return;
  const isCall = (inner: Json): boolean => callIn(functions, inner) !== null;
  visitBuiltCalls(functions, snippet, place, ({ definition, args }, before) => {
    const error = definition.refuseLater?.(args, isCall) ?? null;
    if (error !== null) throw validationFailed(before + error);
  });
};
