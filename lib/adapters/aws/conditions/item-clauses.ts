/** Clauses about any item. */
import type { DeploymentStanding } from "#lib/model/deployment.ts";
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

/** The name still stands for the stack that its taker has seen. */
export const standsFor =
  (stackId: string): Clause =>
  ({ name, text }) =>
    `${name("stackId")} = ${text(stackId)}`;

/** Only a newer operation of a deployment's resource may publish over what one has published. */
export const generationBelow =
  (generation: number): Clause =>
  ({ name, number }) =>
    `${name("generation")} < ${number(generation)}`;

/** A deployment as it was read; one that is gone has no attributes. */
export const standsAs =
  ({ generation, delivery, status }: DeploymentStanding): Clause =>
  ({ name, number, text }) =>
    `${name("generation")} = ${number(generation)} AND ${name("delivery")} = ${number(delivery)} AND ${name("status")} = ${text(status)}`;

/** Only the same or a newer operation of a deployment's resource may delete what one published. */
export const generationAtMost =
  (generation: number): Clause =>
  ({ name, number }) =>
    `${name("generation")} <= ${number(generation)}`;

/** A second arrival of one predecessor must neither count again nor change its data. */
export const hasNotArrived =
  (predecessor: number): Clause =>
  ({ name, number }) =>
    `attribute_not_exists(${name("arrived")}) OR NOT contains(${name("arrived")}, ${number(predecessor)})`;

export const anyOf =
  (...clauses: readonly Clause[]): Clause =>
  (expression) =>
    clauses.map((clause) => clause(expression)).join(" OR ");

/** The fake provider's object is there and was not deleted. */
export const objectIsThere =
  (): Clause =>
  ({ name, value }) =>
    `${name("gone")} = ${value({ BOOL: false })}`;

/** The call of this token has had no effect yet. */
export const hasNoAnswer =
  (attribute: string): Clause =>
  ({ name }) =>
    `attribute_not_exists(${name(attribute)})`;
