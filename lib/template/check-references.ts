import { validationFailed } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import { visitBuiltCalls } from "./calls.ts";
import { type Call, callIn, type FunctionTable } from "./functions/table.ts";
import { pythonText } from "./python-text.ts";
import { RAW_ATTRIBUTE, unknownReference } from "./scope.ts";
import type { TypeSchema } from "./type-schema.ts";

const wrongAttribute = (
  functions: FunctionTable,
  types: ReadonlyMap<string, TypeSchema>,
  { definition, args }: Call,
): string | null => {
  const reference = definition.refersTo?.(args);
  if (reference?.kind !== "attribute" || callIn(functions, reference.resource) !== null) {
    return null;
  }
  const { resource, path } = reference;
  const type = typeof resource === "string" ? types.get(resource) : undefined;
  if (typeof resource !== "string" || type === undefined) {
    return unknownReference(resource, "unknown").message;
  }
  const [attribute] = path;
  if (type.attributes === "any" || attribute === undefined) return null;
  if (attribute === RAW_ATTRIBUTE || callIn(functions, attribute) !== null) return null;
  if (typeof attribute === "string" && Object.hasOwn(type.attributes, attribute)) return null;
  return `The Referenced Attribute (${resource} ${pythonText(attribute)}) is incorrect.`;
};

/** Skips computed attributes, because only resolving shows whether they exist. */
export const checkAttributes = (
  functions: FunctionTable,
  types: ReadonlyMap<string, TypeSchema>,
  snippet: Json,
  place: string,
): void => {
  visitBuiltCalls(functions, snippet, place, (call, before) => {
    const wrong = wrongAttribute(functions, types, call);
    if (wrong !== null) throw validationFailed(before + wrong);
  });
};
