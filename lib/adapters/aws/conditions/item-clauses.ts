/** Clauses that no port names: about any item, stack names, SyncPoints and the fake provider. */
import { TTL_ATTRIBUTE } from "../tables.ts";
import { ttlSeconds } from "../ttl.ts";
import type { Clause } from "./expression.ts";

/** `key` is a key attribute: every item has it. */
export const itemExists =
  (key: string): Clause =>
  ({ name }) =>
    `attribute_exists(${name(key)})`;

export const itemDoesNotExist =
  (key: string): Clause =>
  ({ name }) =>
    `attribute_not_exists(${name(key)})`;

/** It never expires, or later than this. */
export const expiresAfter =
  (expiresAt: number): Clause =>
  ({ name, number }) =>
    `attribute_not_exists(${name(TTL_ATTRIBUTE)}) OR ${name(TTL_ATTRIBUTE)} > ${number(ttlSeconds(expiresAt))}`;

/** The stack name still stands for the stack that the caller has read. */
export const standsFor =
  (stackId: string): Clause =>
  ({ name, text }) =>
    `${name("stackId")} = ${text(stackId)}`;

/** A second arrival of one predecessor must neither count again nor change its data. */
export const hasNotArrived =
  (predecessor: number): Clause =>
  ({ name, number }) =>
    `attribute_not_exists(${name("arrived")}) OR NOT contains(${name("arrived")}, ${number(predecessor)})`;

/** The fake provider's object exists and was not deleted. */
export const objectIsThere =
  (): Clause =>
  ({ name, value }) =>
    `${name("gone")} = ${value({ BOOL: false })}`;

/** The call with this token has had no effect yet. */
export const hasNoAnswer =
  (attribute: string): Clause =>
  ({ name }) =>
    `attribute_not_exists(${name(attribute)})`;
