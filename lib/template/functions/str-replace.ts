/** str_replace: replaces placeholders in a text. Since 2015-10-15 maps and lists become JSON. */
import { validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json } from "#lib/json.ts";
import { isCollection, member } from "../json-shape.ts";
import { jsonText, pythonRepr, pythonText } from "../python-text.ts";
import type { Evaluation, IsCall, TemplateFunction } from "./function.ts";

const USAGE = `"str_replace" syntax should be str_replace:
              template: This is var1 template var2
              params:
                var1: a
                var2: string`;

const refuse = (args: Json, isCall: IsCall): string | null => {
  if (!isJsonObject(args) || isCall(args)) return 'Arguments to "str_replace" must be a map';
  const params = member(args, "params");
  // Heat raises a KeyError here, and Python shows its text in quotes.
  if (params === undefined || member(args, "template") === undefined) return pythonRepr(USAGE);
  return isJsonObject(params) ? null : '"str_replace" parameters must be a mapping';
};

type Replacement = (value: Json, placeholder: string) => string;

const scalarText: Replacement = (value, placeholder) => {
  if (value === null) return "";
  if (!isCollection(value)) return pythonText(value);
  throw validationFailed(
    `"str_replace" params must be strings or numbers, param ${placeholder} is not valid`,
  );
};

const scalarOrJsonText: Replacement = (value, placeholder) =>
  isCollection(value) ? jsonText(value, { sortKeys: true }) : scalarText(value, placeholder);

/** Longest first, because a placeholder may contain another one. */
const inOrder = (placeholders: readonly string[]): readonly string[] =>
  placeholders.toSorted((left, right) => right.length - left.length || (left < right ? -1 : 1));

/** Inserted text is final: no placeholder in it is replaced. */
interface TextPiece {
  readonly text: string;
  readonly final: boolean;
}

/** What searching a piece takes besides its characters, in characters. */
const PIECE_CHARACTERS = 4;

const charactersOf = (pieces: readonly TextPiece[]): number =>
  pieces.reduce((sum, { text }) => sum + text.length, 0);

/** Each placeholder searches all pieces, and each find makes more of them. */
const search = ({ budget }: Evaluation, pieces: readonly TextPiece[]): void => {
  const searched = pieces.reduce((sum, { text, final }) => sum + (final ? 0 : text.length), 0);
  budget.search("str_replace", searched + pieces.length * PIECE_CHARACTERS);
};

const replaceIn = (
  piece: TextPiece,
  placeholder: string,
  replacement: string,
): readonly TextPiece[] => {
  if (piece.final || !piece.text.includes(placeholder)) return [piece];
  return piece.text.split(placeholder).flatMap((text, index) =>
    index === 0
      ? [{ text, final: false }]
      : [
          { text: replacement, final: true },
          { text, final: false },
        ],
  );
};

const replacing = (replacementFor: Replacement): TemplateFunction => ({
  name: "str_replace",
  description: "A text with its placeholders replaced by values.",
  refuse,
  evaluate: (args, evaluation) => {
    const template = evaluation.resolve(isJsonObject(args) ? (args["template"] ?? null) : null);
    const params = evaluation.resolve(isJsonObject(args) ? (args["params"] ?? null) : null);
    if (typeof template !== "string") {
      throw validationFailed('"str_replace" template must be a string');
    }
    if (!isJsonObject(params)) throw validationFailed('"str_replace" params must be a map');
    let pieces: readonly TextPiece[] = [{ text: template, final: false }];
    for (const placeholder of inOrder(Object.keys(params))) {
      if (placeholder === "")
        throw validationFailed('"str_replace" param placeholders must not be empty');
      const replacement = replacementFor(member(params, placeholder) ?? null, placeholder);
      search(evaluation, pieces);
      pieces = pieces.flatMap((piece) => replaceIn(piece, placeholder, replacement));
    }
    evaluation.budget.mayBuild("str_replace", charactersOf(pieces));
    return pieces.map((piece) => piece.text).join("");
  },
});

export const strReplace = replacing(scalarText);
export const strReplaceJson = replacing(scalarOrJsonText);
