import { referenceTo } from "../scope.ts";
import { TEXT, takes } from "./arguments.ts";
import type { TemplateFunction } from "./function.ts";

export const getResource: TemplateFunction = {
  name: "get_resource",
  description: "The reference id of a resource.",
  takes: takes(TEXT),
  refuse: () => null,
  refersTo: (resource) => ({ kind: "resource", resource }),
  evaluate: (args, evaluation) => {
    const name = evaluation.resolve(args);
    const { refId, isNameless } = referenceTo(name, evaluation);
    return refId ?? (isNameless ? null : name);
  },
};
