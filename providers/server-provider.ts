/** What a provider of servers adds to the public interface. A host has at most one. */
import type { Call, Json, JsonObject, ProvidedType, Provider } from "#provider/provider.ts";
import { isList, isObject, objectsOf } from "#providers/values.ts";

export interface ServerProvider extends Provider {
  readonly refusals: Readonly<Record<string, Refuse>>;
  /** By type: which changes need another object. If absent, only the update can find out. */
  readonly replaces: Readonly<Record<string, Replaces>>;
  /** By type: a note in the status reason of a new object. */
  readonly notes: Readonly<Record<string, string>>;
  /** The option with which an operator enables the provider, such as `--docker`. */
  readonly option: string;
  /** The physical id of the server that a creation with this token makes. */
  readonly serverId: (token: string) => string;
}

export const SERVER_ATTRIBUTES = {
  name: { type: "string" },
  instance_name: { type: "string" },
  accessIPv4: { type: "string" },
  accessIPv6: { type: "string" },
  console_urls: { type: "map" },
  tags: { type: "list" },
  networks: { type: "map" },
  addresses: { type: "map" },
  first_address: { type: "string" },
} as const satisfies ProvidedType["attributes"];

export const KEY_PAIR_SCHEMAS = {
  properties: {
    name: { type: "string", required: true },
    public_key: { type: "string" },
    save_private_key: { type: "boolean", default: false },
    type: { type: "string" },
    user: { type: "string" },
  },
  attributes: { public_key: { type: "string" }, private_key: { type: "string" } },
  uniqueBy: ["name"],
} as const satisfies Pick<ProvidedType, "properties" | "attributes" | "uniqueBy">;

export interface RefusedProperty {
  /** The path in the template, such as `networks[0].tag`. */
  readonly property: string;
  readonly why: string;
}

export type Refuse = (properties: JsonObject) => RefusedProperty | null;

const asksForNothing = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  value === false ||
  (isList(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

export type Empties = Readonly<Record<string, string>>;

/**
 * Refuses properties that a provider cannot honour, with the reason, so that none is silently
 * ignored. Unknown values of a preview are empty, and an empty value asks for nothing.
 */
export const refuseFilled = (
  properties: JsonObject,
  empties: Empties,
  place = "",
): RefusedProperty | null => {
  for (const [name, why] of Object.entries(empties)) {
    if (!asksForNothing(properties[name])) return { property: `${place}${name}`, why };
  }
  return null;
};

/** Refuses what a template switches off, and the provider cannot. */
export const refuseOff = (properties: JsonObject, always: Empties): RefusedProperty | null => {
  const off = Object.entries(always).find(([property]) => properties[property] === false);
  return off === undefined ? null : { property: off[0], why: off[1] };
};

export const refuseFilledItems = (
  properties: JsonObject,
  list: string,
  empties: Empties,
): RefusedProperty | null => {
  for (const [at, item] of objectsOf(properties[list]).entries()) {
    const filled = refuseFilled(item, empties, `${list}[${at}].`);
    if (filled !== null) return filled;
  }
  return null;
};

export const refusedBy = (provider: string, { property, why }: RefusedProperty): string =>
  `${property} is not possible with ${provider}: ${why}`;

export const isChanged = (
  { properties, previousProperties }: Pick<Call, "properties" | "previousProperties">,
  name: string,
): boolean =>
  JSON.stringify(properties[name] ?? null) !== JSON.stringify(previousProperties?.[name] ?? null);

export const mayDiffer = (
  call: Pick<Call, "properties" | "previousProperties" | "repairs">,
  name: string,
): boolean => call.repairs === true || isChanged(call, name);

/**
 * Whether a change needs another object. Previews call this too, so it may use only the properties.
 * In a preview a list that only the update can resolve contains a text.
 */
export type Replaces = (before: JsonObject, after: JsonObject) => boolean;

export const replacedBy =
  (...names: readonly string[]): Replaces =>
  (previousProperties, properties) =>
    names.some((name) => isChanged({ properties, previousProperties }, name));

export const NEVER_REPLACED: Replaces = () => false;
