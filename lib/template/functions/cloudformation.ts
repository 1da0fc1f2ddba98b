import { validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json } from "#lib/json.ts";
import { cannotUnpack, itemsOf } from "../python-sequence.ts";
import { pythonType } from "../python-text.ts";
import { ANY, argument, row, TEXT, takes, takesWritten, written } from "./arguments.ts";
import type { IsCall, TemplateFunction } from "./function.ts";
import { splitText } from "./str-split.ts";

const SPLIT_USAGE =
  'Incorrect arguments to "Fn::Split" should be: "Fn::Split" : [ ",", "str1,str2"]]';

export const wrongItems = (
  args: Json,
  isCall: IsCall,
  count: number,
  usage: string,
): string | null => {
  if (isCall(args)) return cannotUnpack("Function");
  const items = itemsOf(args);
  if (items === null) return cannotUnpack(pythonType(args));
  return items.length === count ? null : usage;
};

export const cfnSplit: TemplateFunction = {
  name: "Fn::Split",
  description: "The parts of a text between delimiters.",
  takes: takesWritten(
    row(
      written(argument("delimiter", "what stands between the parts", TEXT)),
      argument("text", "what has the parts", TEXT),
    ),
  ),
  refuse: (args, isCall) => {
    if (typeof args === "string" || (isJsonObject(args) && !isCall(args))) return SPLIT_USAGE;
    return wrongItems(args, isCall, 2, SPLIT_USAGE);
  },
  evaluate: (args, evaluation) => {
    const [delimiter = null, unresolved = null] = itemsOf(args) ?? [];
    const text = evaluation.resolve(unresolved);
    if (typeof delimiter !== "string") {
      throw validationFailed("Delimiter for Fn::Split must be string");
    }
    if (typeof text !== "string") {
      throw validationFailed(`String to split must be string; got <class '${pythonType(text)}'>`);
    }
    return splitText("Fn::Split", text, delimiter, evaluation, true);
  },
};

export const cfnBase64: TemplateFunction = {
  name: "Fn::Base64",
  description: "The text itself, because user data is given in plain text.",
  takes: takes(TEXT),
  refuse: () => null,
  evaluate: (args, { resolve }) => {
    const text = resolve(args);
    if (typeof text === "string") return text;
    throw validationFailed('"Fn::Base64" argument must be a string');
  },
};

export const getAvailabilityZones: TemplateFunction = {
  name: "Fn::GetAZs",
  description: "The availability zones: one, with the name that Heat uses where it asks no cloud.",
  takes: takes(ANY),
  refuse: () => null,
  evaluate: () => ["nova"],
};
