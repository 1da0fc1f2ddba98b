/**
 * The inputs and outputs that a config declares, as in Heat's software_config_io.py. Defaults are
 * converted to the declared type, values are not. Error texts are Heat's.
 */
import { validationFailed } from "#lib/errors.ts";
import {
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonNumber,
  type JsonObject,
} from "#lib/json.ts";
import type { ConfigInput, ConfigOutput } from "#lib/model/software-config.ts";
import { notAllowed, showValue } from "#lib/template/check/constraints.ts";
import { isCollection } from "#lib/template/json-shape.ts";
import { pythonRepr, pythonText } from "#lib/template/python-text.ts";
import { numberFromText } from "#lib/template/python-values.ts";

export const IO_TYPES = ["String", "Number", "CommaDelimitedList", "Json", "Boolean"] as const;
type IoType = (typeof IO_TYPES)[number];

const INPUT_KEYS = ["name", "description", "type", "default", "replace_on_change", "value"];
const OUTPUT_KEYS = ["name", "description", "type", "error_output"];

const propertyError = (text: string): Error => validationFailed(`Property error: ${text}`);

const isGiven = (value: Json | undefined): value is Json => value !== undefined && value !== null;

const text = (key: string, value: Json): string => {
  if (isCollection(value)) {
    throw propertyError(`${key}: Value must be a string; got ${pythonRepr(value)}`);
  }
  return pythonText(value);
};

const boolean = (key: string, value: Json): boolean => {
  if (typeof value === "boolean") return value;
  const word = typeof value === "string" ? value.toLowerCase() : "";
  if (word === "true" || word === "false") return word === "true";
  throw propertyError(`${key}: "${pythonText(value)}" is not a valid boolean`);
};

const number = (key: string, value: Json): JsonNumber => {
  if (isJsonNumber(value)) return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  const read = typeof value === "string" ? numberFromText(value) : null;
  if (read !== null) return read;
  throw propertyError(`${key}: could not convert string to float: ${pythonRepr(value)}`);
};

const list = (key: string, value: Json): Json => {
  if (typeof value === "string") return value.split(",");
  if (Array.isArray(value)) return value;
  throw propertyError(`${key}: "${pythonRepr(value)}" is not a list`);
};

const converted = (type: IoType, value: Json): Json => {
  switch (type) {
    case "String":
      return text("default", value);
    case "Number":
      return number("default", value);
    case "Boolean":
      return boolean("default", value);
    case "CommaDelimitedList":
      return list("default", value);
    case "Json":
      return value;
  }
};

const ioType = (given: Json | undefined): IoType => {
  if (!isGiven(given)) return "String";
  const found = IO_TYPES.find((type) => type === given);
  if (found !== undefined) return found;
  throw propertyError(`type: ${notAllowed(pythonText(given), IO_TYPES, showValue)}`);
};

const entryOf = (given: Json, keys: readonly string[]): JsonObject => {
  if (!isJsonObject(given)) throw propertyError("Software Config I/O Schema must be a dict");
  const unknown = Object.keys(given).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw propertyError(`Unknown Property ${unknown}`);
  return given;
};

const nameOf = (entry: JsonObject): string => {
  if (!isGiven(entry["name"])) throw propertyError("Property name not assigned");
  return text("name", entry["name"]);
};

/** Heat turns an explicit null into an empty description and omits an absent one. */
const descriptionOf = ({ description }: JsonObject): { description?: string } => {
  if (description === undefined) return {};
  return { description: description === null ? "" : text("description", description) };
};

/**
 * A default is converted only if the type is explicit. An empty default is accepted for every type,
 * because old templates use it.
 */
const defaultOf = (entry: JsonObject, type: IoType): { default?: Json } => {
  const given = entry["default"];
  if (!isGiven(given)) return {};
  const isLegacy = given === "" && type !== "String";
  return { default: isLegacy || !isGiven(entry["type"]) ? given : converted(type, given) };
};

export const parseInput = (given: Json): ConfigInput => {
  const entry = entryOf(given, INPUT_KEYS);
  const name = nameOf(entry);
  const description = descriptionOf(entry);
  const type = ioType(entry["type"]);
  const whenChanged = entry["replace_on_change"];
  const replaces = isGiven(whenChanged) && boolean("replace_on_change", whenChanged);
  const flag = replaces ? { replace_on_change: true } : {};
  const value = entry["value"] === undefined ? {} : { value: entry["value"] };
  return { name, ...description, type, ...defaultOf(entry, type), ...flag, ...value };
};

export const parseOutput = (given: Json): ConfigOutput => {
  const entry = entryOf(given, OUTPUT_KEYS);
  const name = nameOf(entry);
  const isError = entry["error_output"];
  return {
    name,
    ...descriptionOf(entry),
    type: ioType(entry["type"]),
    error_output: isGiven(isError) && boolean("error_output", isError),
  };
};

const entriesOf = (given: Json | undefined): readonly Json[] => {
  if (!isGiven(given)) return [];
  if (!Array.isArray(given)) throw propertyError("Software Config I/O Schema must be in a list");
  return given;
};

export const parseInputs = (given: Json | undefined): readonly ConfigInput[] =>
  entriesOf(given).map(parseInput);

export const parseOutputs = (given: Json | undefined): readonly ConfigOutput[] =>
  entriesOf(given).map(parseOutput);
