/**
 * str_replace and Fn::Replace: a text with its placeholders replaced. Since 2015-10-15 maps and
 * lists become JSON. The strict functions refuse placeholders that the text lacks.
 */
import { validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json } from "#lib/json.ts";
import { compareTexts, lengthOf } from "#lib/python/show-text.ts";
import { isCollection, isJsonArray, member } from "../json-shape.ts";
import { pythonRepr, pythonText, pythonType } from "../python-text.ts";
import { cannotUnpack, EMPTY_SEPARATOR, itemsOf } from "../python-values.ts";
import {
  ANY,
  argument,
  type Evaluation,
  type IsCall,
  mapOfAll,
  NOTHING,
  openKeys,
  row,
  SCALAR,
  type Shape,
  SOMETHING,
  TEXT,
  type TemplateFunction,
  takesWritten,
} from "./function.ts";
import { countedJson } from "./join-and-split.ts";

const usage = (name: string): string => `"${name}" syntax should be ${name}:
              template: This is var1 template var2
              params:
                var1: a
                var2: string`;

const CFN_USAGE =
  'Incorrect arguments to "Fn::Replace" should be: {"Fn::Replace": [ {"$var1": "foo", "%var2%": "bar"}, "$var1 is %var2%"]}';

const wrongParams = (name: string, params: Json): string | null =>
  isJsonObject(params) ? null : `"${name}" parameters must be a mapping`;

const refuse = (name: string, args: Json, isCall: IsCall): string | null => {
  if (!isJsonObject(args) || isCall(args)) return `Arguments to "${name}" must be a map`;
  const params = member(args, "params");
  // Heat raises a KeyError here, and Python shows its text in quotes.
  if (params === undefined || member(args, "template") === undefined) {
    return pythonRepr(usage(name));
  }
  return wrongParams(name, params);
};

const refuseList = (name: string, args: Json, isCall: IsCall): string | null => {
  if (isCall(args)) return cannotUnpack("Function");
  if (typeof args === "string" || isJsonObject(args)) return CFN_USAGE;
  if (!isJsonArray(args)) return cannotUnpack(pythonType(args));
  return args.length === 2 ? wrongParams(name, args[0] ?? null) : CFN_USAGE;
};

type Replacement = (
  value: Json,
  placeholder: string,
  name: string,
  evaluation: Evaluation,
) => string;

const scalarText: Replacement = (value, placeholder, name) => {
  if (value === null) return "";
  if (!isCollection(value)) return pythonText(value);
  throw validationFailed(
    `"${name}" params must be strings or numbers, param ${placeholder} is not valid`,
  );
};

const scalarOrJsonText: Replacement = (value, placeholder, name, evaluation) =>
  isCollection(value)
    ? countedJson(name, value, evaluation)
    : scalarText(value, placeholder, name, evaluation);

/** Unlike null and empty values, 0 and false are accepted. */
const textThatIsNotEmpty: Replacement = (value, placeholder, name, evaluation) => {
  const isNothing = value === null || value === "";
  if (!isNothing && !(isCollection(value) && Object.keys(value).length === 0)) {
    return scalarOrJsonText(value, placeholder, name, evaluation);
  }
  throw validationFailed(
    `${name} has an undefined or empty value for param ${placeholder}, must be a defined non-empty value`,
  );
};

/** Longest first, because a placeholder may contain another one. */
const inOrder = (placeholders: readonly string[]): readonly string[] =>
  placeholders.toSorted(
    (left, right) => lengthOf(right) - lengthOf(left) || compareTexts(left, right),
  );

interface TextPiece {
  readonly text: string;
  readonly final: boolean;
}

const PIECE_CHARACTERS = 8;

const charactersOf = (pieces: readonly TextPiece[]): number =>
  pieces.reduce((sum, { text }) => sum + text.length, 0);

const search = (name: string, { budget }: Evaluation, pieces: readonly TextPiece[]): void => {
  const searched = pieces.reduce((sum, { text, final }) => sum + (final ? 0 : text.length), 0);
  budget.search(name, searched + pieces.length * PIECE_CHARACTERS);
};

const isIn = (placeholder: string, { text, final }: TextPiece): boolean =>
  !final && text.includes(placeholder);

const openPiece = (text: string): readonly TextPiece[] =>
  text === "" ? [] : [{ text, final: false }];

const replaceIn = (
  piece: TextPiece,
  placeholder: string,
  replacement: string,
): readonly TextPiece[] => {
  if (!isIn(placeholder, piece)) return [piece];
  const [first = "", ...rest] = piece.text.split(placeholder);
  const inserted = { text: replacement, final: true };
  return [...openPiece(first), ...rest.flatMap((text) => [inserted, ...openPiece(text)])];
};

interface Kind {
  readonly name: string;
  readonly replacementFor: Replacement;
  readonly values: readonly Shape[];
  readonly strict?: true;
}

/** A strict function first makes a Python set of the placeholders, which fails for some values. */
const refuseNoSet = (params: Json): void => {
  const items = itemsOf(params);
  if (items === null) throw validationFailed(`'${pythonType(params)}' object is not iterable`);
  const unhashable = items.find(isCollection);
  if (unhashable !== undefined) {
    throw validationFailed(`unhashable type: '${pythonType(unhashable)}'`);
  }
};

const replaceAll = (
  { name, replacementFor, strict }: Kind,
  evaluation: Evaluation,
  template: Json,
  params: Json,
): string => {
  if (strict) refuseNoSet(params);
  if (typeof template !== "string") throw validationFailed(`"${name}" template must be a string`);
  if (!isJsonObject(params)) throw validationFailed(`"${name}" params must be a map`);
  const unused: string[] = [];
  let pieces: readonly TextPiece[] = [{ text: template, final: false }];
  for (const placeholder of inOrder(Object.keys(params))) {
    const value = member(params, placeholder) ?? null;
    const replacement = replacementFor(value, placeholder, name, evaluation);
    if (placeholder === "") throw validationFailed(EMPTY_SEPARATOR);
    search(name, evaluation, pieces);
    // Most placeholders of a long list are in no piece, and searching is cheaper than copying.
    if (pieces.some((piece) => isIn(placeholder, piece))) {
      pieces = pieces.flatMap((piece) => replaceIn(piece, placeholder, replacement));
    } else unused.push(placeholder);
  }
  if (strict && unused.length > 0) {
    throw validationFailed(
      `The following params were not found in the template: ${unused.join(",")}`,
    );
  }
  evaluation.budget.mayBuild(name, charactersOf(pieces));
  return pieces.map((piece) => piece.text).join("");
};

const SCALARS = [SCALAR, NOTHING];

const description = "A text with its placeholders replaced by values.";

const replacing = (kind: Kind): TemplateFunction => ({
  name: kind.name,
  description,
  takes: takesWritten(
    openKeys(
      argument("template", "the text with the placeholders", TEXT),
      argument("params", "the value of each placeholder", mapOfAll(...kind.values)),
    ),
  ),
  refuse: (args, isCall) => refuse(kind.name, args, isCall),
  evaluate: (args, evaluation) => {
    const given = isJsonObject(args) ? args : {};
    const template = evaluation.resolve(member(given, "template") ?? null);
    const params = evaluation.resolve(member(given, "params") ?? null);
    return replaceAll(kind, evaluation, template, params);
  },
});

export const strReplace = replacing({
  name: "str_replace",
  replacementFor: scalarText,
  values: SCALARS,
});
export const strReplaceJson = replacing({
  name: "str_replace",
  replacementFor: scalarOrJsonText,
  values: [ANY],
});
export const strReplaceStrict = replacing({
  name: "str_replace_strict",
  replacementFor: scalarOrJsonText,
  values: [ANY],
  strict: true,
});
export const strReplaceVeryStrict = replacing({
  name: "str_replace_vstrict",
  replacementFor: textThatIsNotEmpty,
  values: [SOMETHING],
  strict: true,
});

const CFN_KIND: Kind = { name: "Fn::Replace", replacementFor: scalarText, values: SCALARS };

export const cfnReplace: TemplateFunction = {
  name: CFN_KIND.name,
  description,
  takes: takesWritten(
    row(
      argument("params", "the value of each placeholder", mapOfAll(...CFN_KIND.values)),
      argument("template", "the text with the placeholders", TEXT),
    ),
  ),
  refuse: (args, isCall) => refuseList(CFN_KIND.name, args, isCall),
  evaluate: (args, evaluation) => {
    const [params = null, unresolved = null] = isJsonArray(args) ? args : [];
    const template = evaluation.resolve(unresolved);
    return replaceAll(CFN_KIND, evaluation, template, evaluation.resolve(params));
  },
};
