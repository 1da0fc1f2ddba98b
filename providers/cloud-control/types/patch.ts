/** The JSON patch (RFC 6902) that brings an object to its properties, as whole properties. */
import type { Json, JsonObject } from "#provider/provider.ts";
import { hasAll, isSame } from "#providers/values.ts";
import type { TypeTable } from "../tables/type-table.ts";
import { ownTagOf, withOwnTag, withoutForeignTags } from "./own-tag.ts";
import { withoutPaths } from "./paths.ts";

export type PatchOperation =
  | { readonly op: "add"; readonly path: string; readonly value: Json }
  | { readonly op: "remove"; readonly path: string };

export interface PatchInput {
  readonly asked: JsonObject;
  readonly before: JsonObject | null;
  /** Null if the type has no read handler. */
  readonly live: JsonObject | null;
  /** The last change failed, so properties that AWS hides may already be those of the change. */
  readonly repairs?: boolean | undefined;
}

const pointer = (name: string): string => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

const shown = (table: TypeTable, name: string, value: Json): Json | undefined =>
  withoutPaths({ [name]: value }, table.writeOnly)[name];

const differs = (table: TypeTable, given: PatchInput, name: string): boolean => {
  const { asked, before, live, repairs = false } = given;
  const value = asked[name] ?? null;
  const isChanged =
    before === null || !isSame(value, before[name]) || !isSame(before[name] ?? null, value);
  if (live === null) return isChanged || repairs;
  const visible = shown(table, name, value);
  const hidesPart = !(visible !== undefined && isSame(value, visible) && isSame(visible, value));
  if (hidesPart && (isChanged || repairs)) return true;
  if (visible === undefined) return false;
  return isChanged ? !isSame(visible, live[name]) : !hasAll(visible, live[name]);
};

export const patchFor = (table: TypeTable, given: PatchInput): readonly PatchOperation[] => {
  const live = given.live && withoutForeignTags(table, given.live);
  const input = { ...given, live };
  const { asked, before } = given;
  const tag = given.live && ownTagOf(table, given.live);
  const written = tag === null ? asked : withOwnTag(table, asked, tag);
  const added = Object.keys(asked).filter(
    (name) => !table.createOnly.includes(name) && differs(table, input, name),
  );
  const removed = Object.keys(before ?? {}).filter(
    (name) =>
      !Object.hasOwn(asked, name) &&
      !table.createOnly.includes(name) &&
      // AWS refuses to remove a property that it does not show.
      (live === null || Object.hasOwn(live, name)),
  );
  return [
    ...added.map(
      (name) => ({ op: "add", path: pointer(name), value: written[name] ?? null }) as const,
    ),
    ...removed.map((name) => removal(table, name, tag)),
  ];
};

/** Removing all tags must keep Hearth's own tag. */
const removal = (table: TypeTable, name: string, tag: string | null): PatchOperation => {
  const path = pointer(name);
  if (table.tags?.property !== name || tag === null) return { op: "remove", path };
  return { op: "add", path, value: withOwnTag(table, {}, tag)[name] ?? [] };
};

export const driftOf = (
  table: TypeTable,
  asked: JsonObject,
  given: JsonObject,
): readonly string[] => {
  const live = withoutForeignTags(table, given);
  return Object.entries(asked).flatMap(([name, value]) => {
    const visible = shown(table, name, value);
    return visible === undefined || hasAll(visible, live[name]) ? [] : [name];
  });
};
