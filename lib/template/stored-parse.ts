/**
 * Parses a stored template. The rules for requests change between versions, and a stack may be
 * older. Whatever the current rules refuse is marked as `unread`; the rest stays as it was written.
 */
import { RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { formatOf } from "./format.ts";
import { isEmpty, member, sectionOf } from "./json-shape.ts";
import type { ParameterSchema } from "./parameter-schema.ts";
import { keepParsed, parametersIn, parseTemplate } from "./parse.ts";
import { pythonText } from "./python-text.ts";
import type { ParsedTemplate } from "./template.ts";
import { readVersion, VERSION_KEY, VERSION_KEYS, type Version } from "./versions.ts";

const NEWEST: Version = "2021-04-16";
const NEWEST_CFN: Version = "HeatTemplateFormatVersion.2012-12-12";

const unlessRefused = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch (failure) {
    if (failure instanceof RequestError) return null;
    throw failure;
  }
};

export const versionOfStored = (source: JsonObject): Version => {
  const isCfn = !Object.hasOwn(source, VERSION_KEY);
  const hasCfnKey = VERSION_KEYS.some((key) => Object.hasOwn(source, key));
  return unlessRefused(() => readVersion(source)) ?? (isCfn && hasCfnKey ? NEWEST_CFN : NEWEST);
};

const VALUE_KEYS: ReadonlySet<string> = new Set([
  "type",
  "default",
  "hidden",
  "immutable",
  "Type",
  "Default",
  "NoEcho",
]);

const valueKeysOf = (written: Json): Json =>
  isJsonObject(written)
    ? mapOf(Object.entries(written).filter(([key]) => VALUE_KEYS.has(key)))
    : written;

/** An unreadable parameter may be a secret, so it is hidden. */
const unknownParameter = (name: string): ParameterSchema => ({
  name,
  type: "string",
  typeName: "string",
  label: name,
  description: "",
  default: null,
  hidden: true,
  immutable: false,
  tags: [],
  constraints: [],
});

const readAnyhow = (source: JsonObject, why: string): ParsedTemplate => {
  const version = versionOfStored(source);
  const { sections } = formatOf(version);
  const unread = new Set<string>();
  const parameterOf = (name: string, written: Json): ParameterSchema => {
    for (const body of [written, valueKeysOf(written)]) {
      const alone = { [sections.parameters]: mapOf([[name, body]]) };
      const read = unlessRefused(() => parametersIn(alone, version).get(name) ?? null);
      if (read !== null) return read;
    }
    unread.add(name);
    return unknownParameter(name);
  };
  const parameters = Object.entries(sectionOf(source, sections.parameters)).map(
    ([name, written]): [string, ParameterSchema] => [name, parameterOf(name, written)],
  );
  const description = member(source, sections.description) ?? null;
  return {
    version,
    description: isEmpty(description) ? "No description" : pythonText(description),
    parameters: new Map(parameters),
    parameterGroups: null,
    source,
    unread: { why, parameters: unread, resources: new Set() },
  };
};

export const parseStored = (source: JsonObject): ParsedTemplate => {
  try {
    return parseTemplate(source);
  } catch (failure) {
    if (!(failure instanceof RequestError)) throw failure;
    return keepParsed(source, readAnyhow(source, failure.message));
  }
};
