/** What brings an object to its properties: a JSON patch of whole properties (RFC 6902). */
import type { Json, JsonObject } from "#provider/provider.ts";
import { hasAll, isSame } from "#providers/same.ts";
import type { TypeTable } from "../tables/type-table.ts";
import { ownTagOf, withOwnTag, withoutForeignTags } from "./own-tag.ts";
import { withoutPaths } from "./paths.ts";

export type PatchOperation =
  | { readonly op: "add"; readonly path: string; readonly value: Json }
  | { readonly op: "remove"; readonly path: string };

export interface PatchInput {
  /** What the template asks for. */
  readonly asked: JsonObject;
  /** What it asked for at the last success. Null: there was none. */
  readonly before: JsonObject | null;
  /** What AWS shows. Null: the type cannot be read. */
  readonly live: JsonObject | null;
  /** The last change failed, so what AWS does not show may be that of the change. */
  readonly repairs?: boolean | undefined;
}

const pointer = (name: string): string => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** The parts of a property that AWS shows. */
const shown = (table: TypeTable, name: string, value: Json): Json | undefined =>
  withoutPaths({ [name]: value }, table.writeOnly)[name];

/** Whether the property must be written. `name` is a property that the template gives. */
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

/** Empty: the object has all of it. */
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
      // AWS refuses to remove what it does not show.
      (live === null || Object.hasOwn(live, name)),
  );
  return [
    ...added.map(
      (name) => ({ op: "add", path: pointer(name), value: written[name] ?? null }) as const,
    ),
    ...removed.map((name) => removal(table, name, tag)),
  ];
};

/** Without its tags the object still has Hearth's. */
const removal = (table: TypeTable, name: string, tag: string | null): PatchOperation => {
  const path = pointer(name);
  if (table.tags?.property !== name || tag === null) return { op: "remove", path };
  return { op: "add", path, value: withOwnTag(table, {}, tag)[name] ?? [] };
};

/** The properties in which the object is not as asked. */
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
