import { isJsonNumber, isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import { UNGROUPED } from "#lib/software-config/configs/derive-config.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";
import { storeConfig, storing } from "../software/config-properties.ts";

export const cloudConfig = (configs: SoftwareConfigStore): ResourceType => ({
  type: "OS::Heat::CloudConfig",
  schema: {
    description: "A configuration for cloud-init.",
    support: { since: "2014.1" },
    properties: {
      cloud_config: { type: "map", description: "The configuration. It is written as YAML." },
    },
    attributes: { config: { description: "The text for cloud-init.", type: "string" } },
  },
  ...storing(configs, async (call, context) => {
    const { cloud_config: given } = call.properties;
    const config = cloudConfigText(isJsonObject(given) ? given : null);
    return storeConfig(configs, call, context, { group: UNGROUPED, config }, { config });
  }),
});

const INDENT = "  ";

/** Every YAML reader takes this for text, except the words below. */
const PLAIN = /^[A-Za-z_/][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*$/;
const WORDS = new Set(["null", "true", "false", "yes", "no", "on", "off", "y", "n"]);

const isPlain = (text: string): boolean => PLAIN.test(text) && !WORDS.has(text.toLowerCase());

/** JSON's escapes are valid YAML, except for surrogate pairs. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\u{10ffff}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });

const LINE = /^(?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Mostly scripts. The first and last lines must not look like indentation. */
const isLiteral = (text: string): boolean => {
  const lines = text.replace(/\n$/, "").split("\n");
  const isBounded = /^[^ \n]/.test(text) && lines.at(-1) !== "";
  return text.includes("\n") && isBounded && lines.every((line) => LINE.test(line));
};

const literal = (text: string, indent: string): string => {
  const lines = text.replace(/\n$/, "").split("\n");
  const head = text.endsWith("\n") ? "|" : "|-";
  return [head, ...lines.map((line) => (line === "" ? "" : indent + line))].join("\n");
};

const scalarText = (value: Json, indent: string): string => {
  if (typeof value !== "string") return numberText(value);
  if (isPlain(value)) return value;
  return isLiteral(value) ? literal(value, indent) : quoted(value);
};

/** In YAML 1.1 a number with an exponent needs a decimal point. */
const numberText = (value: Json): string => {
  const text = String(value);
  return isJsonNumber(value) && /^-?\d+e/.test(text) ? text.replace("e", ".0e") : text;
};

const keyText = (key: string): string => (isPlain(key) ? key : quoted(key));

const mapText = (map: JsonObject, indent: string): string =>
  Object.entries(map)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => `${indent}${keyText(key)}:${memberText(value, indent)}`)
    .join("\n");

const memberText = (value: Json, indent: string): string => {
  if (isJsonArray(value) && value.length > 0) return `\n${listText(value, indent)}`;
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    return `\n${mapText(value, indent + INDENT)}`;
  }
  return ` ${leafText(value, indent + INDENT)}`;
};

const listText = (list: readonly Json[], indent: string): string =>
  list.map((item) => `${indent}- ${itemText(item, indent + INDENT)}`).join("\n");

const itemText = (item: Json, indent: string): string => {
  if (isJsonArray(item) && item.length > 0) return listText(item, indent).slice(indent.length);
  if (isJsonObject(item) && Object.keys(item).length > 0) {
    return mapText(item, indent).slice(indent.length);
  }
  return leafText(item, indent);
};

const leafText = (value: Json, indent: string): string => {
  if (isJsonArray(value)) return "[]";
  return isJsonObject(value) ? "{}" : scalarText(value, indent);
};

/**
 * Writes YAML 1.1 for cloud-init, which PyYAML reads back as the same value. The yaml package is
 * not enough: it does not quote some texts that PyYAML reads differently, such as `=`, `<<`, tabs,
 * next-line marks and byte-order marks.
 */
export const cloudConfigText = (config: JsonObject | null): string => {
  const isFilled = config !== null && Object.keys(config).length > 0;
  return `#cloud-config\n${isFilled ? mapText(config, "") : leafText(config, "")}\n`;
};
