import type { JsonObject } from "#lib/json.ts";

export const conflict = (names: string): string =>
  `ResourcePropertyConflict: Cannot define the following properties at the same time: ${names}.`;
export const noneOf = (names: string): string =>
  `PropertyUnspecifiedError: At least one of the following properties must be specified: ${names}.`;
export const dependency = (name: string, other: string): string =>
  `ResourcePropertyDependency: ${name} cannot be specified without ${other}.`;

export type Case = readonly [JsonObject, string | null];
