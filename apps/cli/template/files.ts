/**
 * Collects the files that a template needs, as python-heatclient does. Each file that the template
 * or an environment names goes into `files` under its file:// URL, and the URL replaces the name.
 */
import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type DocumentPath, valueAt } from "#lib/authoring/document-path.ts";
import type { AuthoredDocument, NestedDocuments } from "#lib/authoring/find-problems.ts";
import { typeKeysOf } from "#lib/authoring/template-words.ts";
import { isJsonObject, type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import { isTemplateName, SETTINGS } from "#lib/template/environment/registry.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";
import { builtInEnvironment } from "./built-in-environments.ts";
import { besideFiles, isBuiltIn, type MayRead } from "./named-files.ts";
import {
  decoded,
  fileUrl,
  isLocal,
  type Mention,
  parseDocument,
  readBytes,
  readSource,
  type Source,
  sourceOf,
  unusableMention,
} from "./source-file.ts";

export interface StackFiles {
  /** Null if none was read, for an update that keeps the stack's. */
  readonly template: JsonObject | null;
  readonly files: Readonly<Record<string, string>>;
  readonly environment: JsonObject;
  /** URLs in `files`. A later environment wins. */
  readonly environment_files: readonly string[];
}

export interface StackInputs {
  readonly documents: readonly AuthoredDocument[];
  readonly files: Files;
  readonly nested: NestedDocuments;
  readonly environmentUrls: readonly string[];
}

/** @throws CommandFailed with the file and the place that names it. */
export const readInputs = (
  templateFile: string | null,
  environmentFiles: readonly string[],
  mayRead?: MayRead,
): StackInputs => {
  const files = new Map<string, string>();
  const nested = new Map<string, AuthoredDocument>();
  const templates = templateFile === null ? [] : [templateFile];
  const own = [...templates, ...environmentFiles.filter((file) => !isBuiltIn(file))];
  const beside = () => besideFiles(own.map((file) => fileURLToPath(fileUrl(file))));
  const found = { files, nested, mayRead: mayRead ?? beside() };
  const readDocument = (
    file: string,
    kind: AuthoredDocument["kind"],
    rewrite: typeof rewriteTemplate,
  ): AuthoredDocument => {
    const source = readSource(fileUrl(file), file);
    return {
      kind,
      file,
      text: source.text,
      content: rewrite(parseDocument(source), source, found),
    };
  };
  const documents = [
    ...templates.map((file) => readDocument(file, "template", rewriteTemplate)),
    ...environmentFiles.map(
      (file) => builtInEnvironment(file) ?? readDocument(file, "environment", rewriteEnvironment),
    ),
  ];
  const urlOf = (file: string): string => (isBuiltIn(file) ? file : fileUrl(file));
  return { documents, files, nested, environmentUrls: environmentFiles.map(urlOf) };
};

export const stackFiles = (
  { documents, files, environmentUrls }: StackInputs,
  contents = documents.map(({ content }) => content),
): StackFiles => {
  const isWithTemplate = documents[0]?.kind === "template";
  const [template = null] = isWithTemplate ? contents : [];
  const environments = isWithTemplate ? contents.slice(1) : contents;
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

export const collectFiles = (
  templateFile: string,
  environmentFiles: readonly string[],
  mayRead?: MayRead,
): StackFiles => stackFiles(readInputs(templateFile, environmentFiles, mayRead));

/** The engine names the members of a request otherwise than the API does. */
export const templateRequest = (
  { environment_files, ...given }: StackFiles,
  parameters: JsonObject,
) => ({ ...given, environmentFiles: environment_files, parameters });

type Files = ReadonlyMap<string, string>;

const NESTED_TYPE = "AWS::CloudFormation::Stack";

interface Found {
  readonly files: Map<string, string>;
  readonly nested: Map<string, AuthoredDocument>;
  readonly mayRead: MayRead;
}

const rewriteTemplate = (template: JsonObject, source: Source, found: Found): JsonObject => {
  const typeKeys = typeKeysOf(template);
  const rewrite = (value: Json, path: DocumentPath): Json => {
    if (isJsonArray(value)) return value.map((item, index) => rewrite(item, [...path, index]));
    if (!isJsonObject(value)) return value;
    return mapValues(value, (key, member) => {
      const mention = { document: source, path: [...path, key] };
      if (typeof member !== "string") return rewrite(member, mention.path);
      if (key === "get_file") return addFile(member, source.url, mention, found);
      const isType = typeKeys.includes(key) && isTemplateName(member);
      if (isType || namesNestedTemplate(template, mention.path, member)) {
        return addTemplate(member, source.url, mention, found);
      }
      return member;
    });
  };
  return mapValues(template, (key, value) => rewrite(value, [key]));
};

/**
 * A host accepts the template of an `AWS::CloudFormation::Stack` only from the request's files.
 * heatclient leaves it to the user to add that file.
 */
const namesNestedTemplate = (template: JsonObject, path: DocumentPath, name: string): boolean => {
  const [, , properties, key] = path;
  if (path.length !== 4 || key !== "TemplateURL" || /^(https?|ftp):/i.test(name)) return false;
  const definition = valueAt(template, path.slice(0, 2)) ?? null;
  if (!isJsonObject(definition) || !/^properties$/i.test(String(properties))) return false;
  return [definition["type"], definition["Type"]].includes(NESTED_TYPE);
};

/** Only the registry names files. As in heatclient, a text without `::` is a template. */
const rewriteEnvironment = (environment: JsonObject, source: Source, found: Found): JsonObject => {
  const rewrite = (registry: JsonObject, base: string, path: DocumentPath): JsonObject =>
    mapValues(registry, (key, value) => {
      if (SETTINGS.has(key)) return value;
      const mention = { document: source, path: [...path, key] };
      if (isJsonObject(value)) return rewrite(value, baseOf(value, base), mention.path);
      if (typeof value !== "string" || value.includes("::")) return value;
      return addTemplate(value, base, mention, found);
    });
  const registry = environment["resource_registry"];
  if (!isJsonObject(registry)) return environment;
  const rewritten = rewrite(registry, baseOf(registry, source.url), ["resource_registry"]);
  return mergedMaps(environment, { resource_registry: rewritten });
};

/** A registry's base_url is a folder, with or without the slash. */
const baseOf = (registry: JsonObject, base: string): string => {
  const url = registry["base_url"];
  if (typeof url !== "string") return base;
  const folder = url.endsWith("/") ? url : `${url}/`;
  return URL.canParse(folder, base) ? new URL(folder, base).href : folder;
};

const addFile = (name: string, baseUrl: string, mention: Mention, found: Found): string => {
  const url = resolveUrl(name, baseUrl, mention);
  const { files } = found;
  if (!files.has(url)) files.set(url, textOf(readMentioned(url, mention, found)));
  return url;
};

/** A nested template names files relative to itself, and is sent as JSON. */
const addTemplate = (name: string, baseUrl: string, mention: Mention, found: Found): string => {
  const url = resolveUrl(name, baseUrl, mention);
  const { files, nested } = found;
  if (files.has(url)) return url;
  const source = sourceOf(url, shownPath(fileURLToPath(url)), readMentioned(url, mention, found));
  const { file, text } = source;
  // The entry is made before the content is read, so that templates may name each other.
  files.set(url, text);
  const content = rewriteTemplate(parseDocument(source), source, found);
  files.set(url, JSON.stringify(content));
  nested.set(url, { kind: "template", file, text, content });
  return url;
};

export const shownPath = (path: string): string => {
  const short = relative(".", path);
  return short.startsWith("..") ? path : short;
};

const resolveUrl = (name: string, baseUrl: string, mention: Mention): string => {
  const url = /^[a-z][a-z0-9+.-]+:/i.test(name) && URL.canParse(name) ? new URL(name) : null;
  if (url !== null) {
    if (isLocal(url)) return url.href;
    throw unusableMention(mention, `${name} is not a local file; download it first.`);
  }
  const folder = URL.canParse(baseUrl) ? new URL(".", baseUrl) : null;
  if (folder === null || !isLocal(folder)) {
    throw unusableMention(mention, `${baseUrl} is not a local folder; download it first.`);
  }
  return pathToFileURL(resolve(fileURLToPath(folder), name)).href;
};

/** Bytes that are not UTF-8 become base64, because JSON cannot carry them. */
const textOf = (bytes: Buffer): string => {
  try {
    return decoded(bytes);
  } catch {
    return bytes.toString("base64");
  }
};

const mayNeverEnd = (path: string): boolean => {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && !found.isFile() && !found.isDirectory();
  } catch {
    return false;
  }
};

/**
 * A template may come from a stranger. It must not make a user send secret files to a host, and
 * reading a device or a pipe would never end.
 */
const readMentioned = (url: string, mention: Mention, { mayRead }: Found): Buffer => {
  const path = fileURLToPath(url);
  if (mayNeverEnd(path)) {
    throw unusableMention(mention, `${path}: it is not a file.`);
  }
  if (!mayRead(path)) {
    throw unusableMention(
      mention,
      `${path} is hidden, or outside of the folders of the template and the environments, so it is not read. If you trust the template: --allow-files.`,
    );
  }
  return readBytes(path, (why, cause) => unusableMention(mention, why, cause));
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
