import { validationFailed } from "#lib/errors.ts";
import { member } from "../json-shape.ts";
import { missingFile } from "../scope.ts";
import { TEXT, takes } from "./arguments.ts";
import type { TemplateFunction } from "./function.ts";

export const getFile: TemplateFunction = {
  name: "get_file",
  // These are Heat's words, which its API tests expect.
  description: "A function for including a file inline.",
  takes: takes(TEXT),
  refuse: () => null,
  refersTo: (file) => ({ kind: "file", file }),
  evaluate: (args, evaluation) => {
    const name = evaluation.resolve(args);
    if (typeof name !== "string") throw validationFailed('Argument to "get_file" must be a string');
    const content = member(evaluation.files, name);
    if (content === undefined) throw missingFile(name);
    return content;
  },
};
