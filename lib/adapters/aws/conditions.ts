/**
 * Builds the expressions of one request. Names and values become placeholders, because most of our
 * attribute names are reserved words of DynamoDB.
 */
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { OwnerClause } from "#lib/ports/conditions.ts";
import { ttlSeconds } from "./items/attributes.ts";
import { TTL_ATTRIBUTE } from "./tables.ts";

export interface Expression {
  name(path: string): string;
  value(value: AttributeValue): string;
  number(value: number): string;
  text(value: string): string;
  bound(): {
    readonly ExpressionAttributeNames?: Record<string, string>;
    readonly ExpressionAttributeValues?: Record<string, AttributeValue>;
  };
}

export const anExpression = (): Expression => {
  const names: Record<string, string> = {};
  const values: Record<string, AttributeValue> = {};
  const value = (bound: AttributeValue): string => {
    const placeholder = `:v${Object.keys(values).length}`;
    values[placeholder] = bound;
    return placeholder;
  };
  return {
    name: (path) =>
      path
        .split(".")
        .map((part) => {
          names[`#${part}`] = part;
          return `#${part}`;
        })
        .join("."),
    value,
    number: (bound) => value({ N: String(bound) }),
    text: (bound) => value({ S: bound }),
    bound: () => ({
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    }),
  };
};

export type Clause = (expression: Expression) => string;

export const allOf = (clauses: readonly Clause[], expression: Expression): string =>
  clauses.map((clause) => `(${clause(expression)})`).join(" AND ");

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

export const ownerClause =
  (clause: OwnerClause): Clause =>
  ({ name, text }) => {
    const isOf = `${name("tenant")} = ${text(clause.tenant)}`;
    return clause.clause === "isOf" ? isOf : `attribute_not_exists(${name("tenant")}) OR ${isOf}`;
  };
