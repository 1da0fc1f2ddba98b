import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import type { Json, JsonObject } from "#provider/provider.ts";

export interface Thing {
  readonly id: string;
  readonly project: string;
  members: Record<string, Json>;
  /** How many lists have left the object out so far. */
  hidden: number;
  /** How often the object was read since its last operation began. */
  looks: number;
}

export interface Settings {
  /** How many lists do not contain a new object yet. */
  readonly hidden: number;
  /** How many reads an operation takes to finish. */
  readonly looks: number;
}

export interface DoubleState {
  readonly settings: Settings;
  readonly things: Map<string, Map<string, Thing>>;
  readonly made: Map<string, number>;
  readonly tokens: Map<string, string>;
  readonly quotas: Map<string, number>;
}

export interface DoubleCall {
  readonly state: DoubleState;
  readonly project: string;
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

/** The project's objects and public ones. New objects are left out for a while. */
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
