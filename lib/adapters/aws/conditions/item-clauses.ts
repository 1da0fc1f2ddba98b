import { TTL_ATTRIBUTE } from "../tables.ts";
import { ttlSeconds } from "../ttl.ts";
import type { Clause } from "./expression.ts";

export const itemExists =
  (key: string): Clause =>
  ({ name }) =>
    `attribute_exists(${name(key)})`;

export const itemDoesNotExist =
  (key: string): Clause =>
  ({ name }) =>
    `attribute_not_exists(${name(key)})`;

export const expiresAfter =
  (expiresAt: number): Clause =>
  ({ name, number }) =>
    `attribute_not_exists(${name(TTL_ATTRIBUTE)}) OR ${name(TTL_ATTRIBUTE)} > ${number(ttlSeconds(expiresAt))}`;

export const standsFor =
  (stackId: string): Clause =>
  ({ name, text }) =>
    `${name("stackId")} = ${text(stackId)}`;

/** A second arrival of one predecessor must neither count again nor change its data. */
export const hasNotArrived =
  (predecessor: number): Clause =>
  ({ name, number }) =>
    `attribute_not_exists(${name("arrived")}) OR NOT contains(${name("arrived")}, ${number(predecessor)})`;

export const objectIsThere =
  (): Clause =>
  ({ name, value }) =>
    `${name("gone")} = ${value({ BOOL: false })}`;

export const hasNoAnswer =
  (attribute: string): Clause =>
  ({ name }) =>
    `attribute_not_exists(${name(attribute)})`;
