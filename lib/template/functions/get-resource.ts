/** get_resource: the reference id of a resource; its name while it has none. */
import { RequestError } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import { pythonText } from "../python-text.ts";
import type { ResourceReference, Scope } from "../scope.ts";
import type { TemplateFunction } from "./function.ts";

/** Heat's InvalidTemplateReference; `place` is "unknown" where Heat has no better word. */
export const unknownReference = (name: Json, place: string): RequestError =>
  new RequestError(
    "InvalidTemplateReference",
    400,
    `The specified reference "${pythonText(name)}" (in ${place}) is incorrect.`,
  );

export const referenceTo = (name: Json, scope: Scope): ResourceReference => {
  const reference = typeof name === "string" ? scope.resource(name) : null;
  if (reference === null) throw unknownReference(name, "unknown");
  return reference;
};

export const getResource: TemplateFunction = {
  name: "get_resource",
  description: "What other resources know a resource by.",
  refuse: () => null,
  refersTo: (args) => ({ resource: args }),
  evaluate: (args, evaluation) => {
    const name = evaluation.resolve(args);
    return referenceTo(name, evaluation).refId ?? name;
  },
};
