/**
 * Collects the files that a template needs, as python-heatclient does. Every file that the
 * template or an environment names goes into `files` under its file:// URL. The URL then replaces
 * the name.
 */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { AuthoredDocument } from "#lib/authoring/find-problems.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { mapOf, mergedMaps } from "#lib/json-map.ts";
import { UnreadableText } from "#lib/template/yaml/yaml-error.ts";
import { parseText } from "#lib/template/yaml.ts";
import { CommandFailed } from "./failure.ts";
import { UnreadableFile } from "./unreadable-file.ts";

/** The part of a create, update or validate request that comes from files. */
export interface StackFiles {
  readonly template: JsonObject;
  readonly files: Readonly<Record<string, string>>;
  readonly environment: JsonObject;
  /** URLs in `files`, in the order given: a later one wins. */
  readonly environment_files: readonly string[];
}

/** The documents of a request with the names in them rewritten, and the files that they name. */
export interface StackInputs {
  /** The template first, then the environments. */
  readonly documents: readonly AuthoredDocument[];
  readonly files: Files;
  readonly environmentUrls: readonly string[];
}

/** Throws CommandFailed with the file and the place that names it. */
export const readInputs = (
  templateFile: string,
  environmentFiles: readonly string[],
): StackInputs => {
  const files = new Map<string, string>();
  const readDocument = (
    file: string,
    kind: AuthoredDocument["kind"],
    rewrite: typeof rewriteTemplate,
  ): AuthoredDocument => {
    const url = fileUrl(file);
    const text = readText(url, file);
    const content = rewrite(parseDocument(text, file), url, files);
    return { kind, file, text, content };
  };
  const documents = [
    readDocument(templateFile, "template", rewriteTemplate),
    ...environmentFiles.map((file) => readDocument(file, "environment", rewriteEnvironment)),
  ];
  return { documents, files, environmentUrls: environmentFiles.map(fileUrl) };
};

/** The request with these contents of the documents. */
export const stackFiles = (
  { files, environmentUrls }: StackInputs,
  [template = {}, ...environments]: readonly JsonObject[],
): StackFiles => {
  const environmentTexts = environments.map(
    (environment, at) => [environmentUrls[at] ?? "", JSON.stringify(environment)] as const,
  );
  return {
    template,
    files: mapOf([...files, ...environmentTexts]),
    environment: environments.reduce<JsonObject>(mergeDeeply, {}),
    environment_files: environmentUrls,
  };
};

/** Throws CommandFailed with the file and the place that names it. */
export const collectFiles = (
  templateFile: string,
  environmentFiles: readonly string[],
): StackFiles => {
  const inputs = readInputs(templateFile, environmentFiles);
  return stackFiles(
    inputs,
    inputs.documents.map(({ content }) => content),
  );
};

type Files = Map<string, string>;

const fileUrl = (path: string): string => pathToFileURL(resolve(path)).href;

/** Parses as the engine does. An empty file is an empty document. */
const parseDocument = (text: string, file: string): JsonObject => {
  try {
    const document = parseText(text) ?? {};
    if (isJsonObject(document)) return document;
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    throw new UnreadableFile(text, file, error);
  }
  throw new CommandFailed(`${file} does not hold a map.`);
};

const rewriteTemplate = (template: JsonObject, baseUrl: string, files: Files): JsonObject => {
  const rewrite = (value: Json, place: string): Json => {
    if (isList(value)) return value.map((item, index) => rewrite(item, `${place}[${index}]`));
    if (!isJsonObject(value)) return value;
    return mapValues(value, (key, member) => {
      const memberPlace = place === "" ? key : `${place}.${key}`;
      if (typeof member !== "string") return rewrite(member, memberPlace);
      if (key === "get_file") return addFile(member, baseUrl, memberPlace, files);
      if (key === "type" && isTemplateName(member)) {
        return addTemplate(member, baseUrl, memberPlace, files);
      }
      return member;
    });
  };
  return mapValues(template, (key, value) => rewrite(value, key));
};

/** Only the registry names files. As in heatclient, a text without `::` is a template. */
const rewriteEnvironment = (environment: JsonObject, baseUrl: string, files: Files): JsonObject => {
  const rewrite = (registry: JsonObject, base: string, place: string): JsonObject =>
    mapValues(registry, (key, value) => {
      if (["base_url", "hooks", "restricted_actions"].includes(key)) return value;
      if (isJsonObject(value)) return rewrite(value, baseOf(value, base), `${place}.${key}`);
      if (typeof value !== "string" || value.includes("::")) return value;
      return addTemplate(value, base, `${place}.${key}`, files);
    });
  const registry = environment["resource_registry"];
  if (!isJsonObject(registry)) return environment;
  const rewritten = rewrite(registry, baseOf(registry, baseUrl), "resource_registry");
  return mergedMaps(environment, { resource_registry: rewritten });
};

/** A registry's base_url is a folder, with or without the slash. */
const baseOf = (registry: JsonObject, base: string): string => {
  const url = registry["base_url"];
  if (typeof url !== "string") return base;
  return new URL(url.endsWith("/") ? url : `${url}/`, base).href;
};

const isTemplateName = (type: string): boolean =>
  type.endsWith(".yaml") || type.endsWith(".template");

/** A template may be a stranger's. A device or a pipe that it names would never end. */
const readNamed = (url: string, place: string): string => {
  const path = fileURLToPath(url);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return readText(url, place);
  throw new CommandFailed(`${place}: ${path}: it is not a file.`);
};

const addFile = (name: string, baseUrl: string, place: string, files: Files): string => {
  const url = resolveUrl(name, baseUrl, place);
  if (!files.has(url)) files.set(url, readNamed(url, place));
  return url;
};

/**
 * A nested template brings its own files, relative to itself. It travels as JSON with the names
 * rewritten.
 */
const addTemplate = (name: string, baseUrl: string, place: string, files: Files): string => {
  const url = resolveUrl(name, baseUrl, place);
  if (files.has(url)) return url;
  const text = readNamed(url, place);
  // Set before the content is read, so that templates may name each other.
  files.set(url, text);
  const template = rewriteTemplate(parseDocument(text, fileURLToPath(url)), url, files);
  files.set(url, JSON.stringify(template));
  return url;
};

const resolveUrl = (name: string, baseUrl: string, place: string): string => {
  const url = /^[a-z][a-z0-9+.-]+:/i.test(name) && URL.canParse(name) ? new URL(name) : null;
  if (url !== null && url.protocol !== "file:") {
    throw new CommandFailed(`${place}: ${name} is not a local file; download it first.`);
  }
  return url?.href ?? pathToFileURL(resolve(fileURLToPath(new URL(".", baseUrl)), name)).href;
};

/** Text as it is. Bytes that are not UTF-8 become base64, since JSON cannot carry them. */
const readText = (url: string, place: string): string => {
  const path = fileURLToPath(url);
  const bytes = readBytes(path, place);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString("base64");
  }
};

const readBytes = (path: string, place: string): Buffer => {
  try {
    return readFileSync(path);
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const why = missing ? "there is no such file" : "it cannot be read";
    throw new CommandFailed(`${place}: ${path}: ${why}.`, undefined, { cause: error });
  }
};

const mergeDeeply = (base: JsonObject, over: JsonObject): JsonObject => {
  const changed = mapValues(over, (key, value) => {
    const below = Object.hasOwn(base, key) ? base[key] : undefined;
    return isJsonObject(value) && isJsonObject(below) ? mergeDeeply(below, value) : value;
  });
  return mergedMaps(base, changed);
};

const mapValues = (object: JsonObject, change: (key: string, value: Json) => Json): JsonObject =>
  mapOf(Object.entries(object).map(([key, value]) => [key, change(key, value)]));

/** Array.isArray does not narrow a readonly list away from an object. */
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
