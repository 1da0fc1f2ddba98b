import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type DocumentPath, placeIn, type TextPlace } from "#lib/authoring/document-path.ts";
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import { placeOf, UnreadableText, YamlProblem } from "#lib/template/yaml/source.ts";
import { parseText } from "#lib/template/yaml/yaml.ts";
import { badUsage, CommandFailed, codeOf, EXIT_USAGE } from "../failure.ts";

export interface Source {
  readonly url: string;
  readonly file: string;
  readonly text: string;
}

/** A file URL with a host, or with an encoded slash, has no path. */
export const isLocal = (url: URL): boolean => {
  if (url.protocol !== "file:") return false;
  try {
    fileURLToPath(url);
    return true;
  } catch {
    return false;
  }
};

/** Accepts a path or a file URL, as the `openstack` command does. */
export const fileUrl = (name: string): string => {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(name) && URL.canParse(name) ? new URL(name) : null;
  if (url === null) return pathToFileURL(resolve(name)).href;
  if (isLocal(url)) return url.href;
  throw badUsage(`${name} is not a local file; download it first.`);
};

/** As with other commands, this name stands for standard input. */
const STANDARD_INPUT = "-";
const STDIN = 0;

export const readSource = (url: string, file: string): Source => {
  const path = fileURLToPath(url);
  const bytes = readBytes(file === STANDARD_INPUT ? STDIN : path, (why, cause) => {
    const message = file === path ? why : `${file}: ${why}`;
    return new CommandFailed(message, EXIT_USAGE, { cause });
  });
  return sourceOf(url, file, bytes);
};

export const sourceOf = (url: string, file: string, bytes: Buffer): Source => {
  try {
    return { url, file, text: decoded(bytes) };
  } catch (error) {
    throw notUtf8(bytes, file, error);
  }
};

export const parseDocument = ({ text, file }: Source): JsonObject => {
  try {
    const document = parseText(text) ?? {};
    if (isJsonObject(document)) return document;
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    throw neitherYamlNorJson(text, file, error);
  }
  throw noMap(file);
};

export const decoded = (bytes: Buffer): string =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

const WHY_UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
};

export const readBytes = (
  path: string | number,
  failure: (why: string, cause: unknown) => CommandFailed,
): Buffer => {
  try {
    return readFileSync(path);
  } catch (error) {
    throw failure(`${path}: ${WHY_UNREADABLE[codeOf(error)] ?? "it cannot be read"}.`, error);
  }
};

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

const neitherYamlNorJson = (text: string, file: string, cause: UnreadableText): UnreadableFile => {
  const problem = cause.message.replaceAll('"<unicode string>"', JSON.stringify(file));
  const place = cause instanceof YamlProblem ? placeAt(text, cause.offset) : null;
  const message = `${file} is neither YAML nor JSON: ${problem}`;
  return new UnreadableFile(message, { file, problem, place }, cause);
};

const noMap = (file: string): UnreadableFile =>
  new UnreadableFile(`${file} does not hold a map.`, {
    file,
    problem: "The document is not a map.",
    place: { line: 1, column: 1 },
  });

const REPLACEMENT = "\uFFFD";

const notUtf8 = (bytes: Uint8Array, file: string, cause: unknown): UnreadableFile => {
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
