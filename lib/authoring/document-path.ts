import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";
import type { YamlNode } from "#lib/template/yaml/nodes.ts";
import { placeOf } from "#lib/template/yaml/source.ts";
import { composeText } from "#lib/template/yaml/yaml.ts";

export type DocumentPath = readonly (string | number)[];

export const valueAt = (document: Json, path: DocumentPath): Json | undefined => {
  let value: Json | undefined = document;
  for (const step of path) value = childOf(value, step);
  return value;
};

const childOf = (value: Json | undefined, step: string | number): Json | undefined => {
  if (value === undefined) return undefined;
  if (isJsonArray(value)) return typeof step === "number" ? value[step] : undefined;
  if (!isJsonObject(value)) return undefined;
  const key = String(step);
  return Object.hasOwn(value, key) ? value[key] : undefined;
};

/** An undefined `value` removes the key. */
export const changedAt = (
  document: JsonObject,
  path: DocumentPath,
  value: Json | undefined,
): JsonObject => {
  const [key, ...rest] = path;
  const inner = childOf(document, key ?? "");
  const changed =
    rest.length > 0 && inner !== undefined && isJsonObject(inner)
      ? changedAt(inner, rest, value)
      : value;
  return mapOf(
    Object.entries(document).flatMap(([name, member]) => {
      const kept = name === key ? changed : member;
      return kept === undefined ? [] : [[name, kept] as const];
    }),
  );
};

/** Lines and columns count from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

const scalarText = (node: YamlNode): string | null => (node.kind === "scalar" ? node.value : null);

const entryOf = (node: YamlNode, step: string | number): readonly [number, YamlNode] | null => {
  if (node.kind === "sequence") {
    const item = typeof step === "number" ? node.items[step] : undefined;
    return item === undefined ? null : [item.start, item];
  }
  if (node.kind !== "mapping") return null;
  const entry = node.entries.findLast(([key]) => scalarText(key) === String(step));
  return entry === undefined ? null : [entry[0].start, entry[1]];
};

export const placesIn = (text: string): ((path: DocumentPath) => TextPlace) => {
  const root = composeText(text);
  return (path) => placeBelow(text, root, path);
};

/**
 * A value in a map begins at its key. For values without a place of their own, such as merged keys,
 * this is the place of the nearest value around them.
 */
export const placeIn = (text: string, path: DocumentPath): TextPlace => placesIn(text)(path);

const placeBelow = (text: string, root: YamlNode | null, path: DocumentPath): TextPlace => {
  let node = root;
  let start = node?.start ?? 0;
  for (const step of path) {
    const entry = node === null ? null : entryOf(node, step);
    if (entry === null) break;
    [start, node] = entry;
  }
  const { line, column } = placeOf(text, start);
  return { line: line + 1, column: column + 1 };
};
