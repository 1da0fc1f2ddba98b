/** What the double of an OpenStack keeps, and how its services answer. */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import type { Json, JsonObject } from "#provider/provider.ts";

/** An object of a service. Its members change. */
export interface Thing {
  readonly id: string;
  readonly project: string;
  members: Record<string, Json>;
  /** How often a list has left it out. */
  hidden: number;
  /** How often it has been looked at since something began with it. */
  looks: number;
}

export interface Settings {
  /** Lists that do not show a new object yet. */
  readonly hidden: number;
  /** Looks until what has begun is done. */
  readonly looks: number;
}

export interface DoubleState {
  readonly settings: Settings;
  /** By the name of the collection. */
  readonly things: Map<string, Map<string, Thing>>;
  /** Objects that were ever made, by collection. */
  readonly made: Map<string, number>;
  /** Tokens, with the project of each. */
  readonly tokens: Map<string, string>;
  /** Objects of a collection that a project may have. */
  readonly quotas: Map<string, number>;
}

export interface DoubleCall {
  readonly state: DoubleState;
  readonly project: string;
  /** The groups of the route's path. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly body: JsonObject;
}

export interface DoubleAnswer {
  readonly status: number;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly answer: (call: DoubleCall) => DoubleAnswer;
}

/** JSON already. The record of zod leaves out the name `__proto__`. */
export const members = z.custom<Record<string, Json>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

export const objectIn = (body: JsonObject, name: string): Record<string, Json> => {
  const read = z.safeParse(members, body[name]);
  return read.success ? { ...read.data } : {};
};

export const textIn = (body: JsonObject, name: string): string => {
  const value = body[name];
  return typeof value === "string" ? value : "";
};

export const all = ({ things }: DoubleState, collection: string): Map<string, Thing> => {
  const known = things.get(collection) ?? new Map<string, Thing>();
  things.set(collection, known);
  return known;
};

export const put = (
  state: DoubleState,
  collection: string,
  given: { readonly project: string; readonly members: Record<string, Json> },
): Thing => {
  const thing: Thing = { id: randomUUID(), hidden: 0, looks: 0, ...given };
  all(state, collection).set(thing.id, thing);
  state.made.set(collection, (state.made.get(collection) ?? 0) + 1);
  return thing;
};

/** Those of the project, and what everybody may see. New ones are left out for a while. */
export const listed = (
  { state, project, query }: DoubleCall,
  collection: string,
  isAsked: (thing: Thing) => boolean,
): readonly Thing[] =>
  [...all(state, collection).values()].filter((thing) => {
    const isOfAll = query.has("all_tenants") || thing.members["visible"] === true;
    const isSeen = thing.project === project || isOfAll;
    if (!isSeen || !isAsked(thing)) return false;
    thing.hidden += 1;
    return thing.hidden > state.settings.hidden;
  });

export const quotaLeft = ({ state, project }: DoubleCall, collection: string): boolean => {
  const own = [...all(state, collection).values()].filter((one) => one.project === project);
  return own.length < (state.quotas.get(collection) ?? Number.POSITIVE_INFINITY);
};
