/** get_file: the text of a file that came with the request. */
import { validationFailed } from "#lib/errors.ts";
import type { TemplateFunction } from "./function.ts";

export const getFile: TemplateFunction = {
  name: "get_file",
  description: "The content of a file that was sent with the template.",
  refuse: () => null,
  evaluate: (args, evaluation) => {
    const name = evaluation.resolve(args);
    if (typeof name !== "string") throw validationFailed('Argument to "get_file" must be a string');
    const content = Object.hasOwn(evaluation.files, name) ? evaluation.files[name] : undefined;
    if (content === undefined) {
      throw validationFailed(`No content found in the "files" section for get_file path: ${name}`);
    }
    return content;
  },
};
