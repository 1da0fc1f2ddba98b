import { validationFailed } from "#lib/errors.ts";
import { isJsonObject } from "#lib/json.ts";
import { isCollection, isJsonArray, member } from "../json-shape.ts";
import { pythonType } from "../python-text.ts";
import { unknownReference } from "../scope.ts";
import { TEXT, takes, takesWritten } from "./arguments.ts";
import type { TemplateFunction } from "./function.ts";

export const ref: TemplateFunction = {
  name: "Ref",
  description: "The reference id of a resource, or the value of a parameter.",
  takes: takesWritten(TEXT),
  // Heat looks up the name when it builds the call, and Python cannot hash a list or a map.
  refuse: (args, isCall) => {
    if (isJsonArray(args)) return "unhashable type: 'list'";
    if (!isJsonObject(args)) return null;
    return `unhashable type: '${isCall(args) ? "Function" : "dict"}'`;
  },
  refersTo: (name) => ({ kind: "either", name }),
  evaluate: (name, { parameters, pseudo, resource }) => {
    if (typeof name !== "string") throw unknownReference(name, "unknown");
    const reference = resource(name);
    if (reference !== null) return reference.refId ?? (reference.isNameless ? null : name);
    const value = parameters.get(name) ?? member(pseudo, name);
    if (value === undefined) throw unknownReference(name, "unknown");
    return value;
  },
};

/** Conditions are resolved before any resource exists. */
export const refToParameter: TemplateFunction = {
  ...ref,
  description: "The value of a parameter.",
  takes: takes(TEXT),
  refersTo: (parameter) => ({ kind: "parameter", parameter }),
  refuse: () => null,
  evaluate: (unresolved, { resolve, parameters, pseudo }) => {
    const name = resolve(unresolved);
    if (isCollection(name)) throw validationFailed(`unhashable type: '${pythonType(name)}'`);
    const value =
      typeof name === "string" ? (parameters.get(name) ?? member(pseudo, name)) : undefined;
    if (value === undefined) throw unknownReference(name, "unknown");
    return value;
  },
};
