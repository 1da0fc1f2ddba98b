import { type DocumentPath, placeIn, type TextPlace } from "#lib/authoring/document-path.ts";
import { placeOf, type UnreadableText, YamlProblem } from "#lib/template/yaml/source.ts";
import { CommandFailed } from "./failure.ts";

interface Trouble {
  readonly file: string;
  readonly problem: string;
  readonly place: TextPlace | null;
}

export class UnreadableFile extends CommandFailed {
  readonly trouble: Trouble;

  constructor(message: string, trouble: Trouble, cause?: unknown) {
    super(message, undefined, { cause });
    this.trouble = trouble;
  }
}

const placeAt = (text: string, offset: number): TextPlace => {
  const { line, column } = placeOf(text, offset);
  return { line: line + 1, column: column + 1 };
};

export const neitherYamlNorJson = (
  text: string,
  file: string,
  cause: UnreadableText,
): UnreadableFile => {
  const problem = cause.message.replaceAll('"<unicode string>"', JSON.stringify(file));
  const place = cause instanceof YamlProblem ? placeAt(text, cause.offset) : null;
  const message = `${file} is neither YAML nor JSON: ${problem}`;
  return new UnreadableFile(message, { file, problem, place }, cause);
};

export const noMap = (file: string): UnreadableFile =>
  new UnreadableFile(`${file} does not hold a map.`, {
    file,
    problem: "The document is not a map.",
    place: { line: 1, column: 1 },
  });

const REPLACEMENT = "\uFFFD";

export const notUtf8 = (bytes: Uint8Array, file: string, cause: unknown): UnreadableFile => {
  const text = new TextDecoder("utf-8").decode(bytes);
  const place = placeAt(text, Math.max(0, text.indexOf(REPLACEMENT)));
  const message = `${file}:${place.line}:${place.column}: The text is not UTF-8.`;
  return new UnreadableFile(message, { file, problem: "The text is not UTF-8.", place }, cause);
};

export interface Mention {
  readonly document: { readonly file: string; readonly text: string };
  readonly path: DocumentPath;
}

const dotted = (path: DocumentPath): string =>
  path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");

export const unusableMention = (
  { document: { file, text }, path }: Mention,
  why: string,
  cause?: unknown,
): UnreadableFile => {
  const place = placeIn(text, path);
  const problem = `${dotted(path)}: ${why}`;
  const message = `${file}:${place.line}:${place.column}: ${problem}`;
  return new UnreadableFile(message, { file, problem, place }, cause);
};
