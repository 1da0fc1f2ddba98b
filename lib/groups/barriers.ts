/** Barriers stand between two batches of a group's members (docs/adr/0011). */

import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";

export const BARRIER_TYPE = "Hearth::Barrier";

export const withoutBarriers = (resources: JsonObject): JsonObject => {
  const isBarrier = (body: Json | undefined): boolean =>
    body !== undefined && isJsonObject(body) && body["type"] === BARRIER_TYPE;
  const names = new Set(Object.keys(resources).filter((name) => isBarrier(resources[name])));
  if (names.size === 0) return resources;
  const members = Object.entries(resources).filter(([name]) => !names.has(name));
  return mapOf(members.map(([name, body]): [string, Json] => [name, withoutWaits(body, names)]));
};

const withoutWaits = (body: Json, names: ReadonlySet<string>): Json => {
  if (!isJsonObject(body)) return body;
  const isWait = ([key, value]: [string, Json]): boolean =>
    key === "depends_on" && Array.isArray(value) && value.every((name) => names.has(String(name)));
  return mapOf(Object.entries(body).filter((entry) => !isWait(entry)));
};

/** Members of scaling groups never have such a name. */
export const isBarrierName = (name: string): boolean => /^_*batch_\d+_done$/.test(name);

/** The barrier before batch `at`, counted from 0. It avoids all names of members. */
export const barrierName = (at: number, isTaken: (name: string) => boolean): string => {
  let name = `batch_${at}_done`;
  while (isTaken(name)) name = `_${name}`;
  return name;
};
