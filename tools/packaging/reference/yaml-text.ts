import { isJsonObject, type Json } from "#lib/json.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";
import { parseText } from "#lib/template/yaml/yaml.ts";

const INDENT = "  ";
const PLAIN = /^[A-Za-z][\w./:@-]*$/;

/** Omits the quotes if YAML then still parses the same text. */
const scalarText = (value: Json): string => {
  if (typeof value !== "string") return JSON.stringify(value);
  return PLAIN.test(value) && parseText(`a: ${value}`) !== null && isSame(value)
    ? value
    : JSON.stringify(value);
};

const isSame = (text: string): boolean => {
  const read = parseText(`[${text}]`);
  return isJsonArray(read) && read.length === 1 && read[0] === text;
};

const isScalar = (value: Json): boolean => value === null || typeof value !== "object";

const flowText = (value: Json): string => {
  if (isJsonArray(value)) return `[${value.map(flowText).join(", ")}]`;
  if (!isJsonObject(value)) return scalarText(value);
  const members = Object.entries(value).map(([key, item]) => `${key}: ${flowText(item)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
};

const isSmall = (value: Json): boolean =>
  isScalar(value) ||
  (isJsonArray(value) && value.every(isScalar)) ||
  (isJsonObject(value) && Object.keys(value).length < 2 && Object.values(value).every(isScalar));

export const yamlLines = (value: Json, indent = ""): readonly string[] => {
  if (isJsonArray(value) && !isSmall(value)) {
    return value.map((item) => `${indent}- ${flowText(item)}`);
  }
  if (!isJsonObject(value) || Object.keys(value).length === 0) return [indent + flowText(value)];
  return Object.entries(value).flatMap(([key, item]) =>
    isSmall(item) && key !== "properties"
      ? [`${indent}${key}: ${flowText(item)}`]
      : [`${indent}${key}:`, ...yamlLines(item, indent + INDENT)],
  );
};
