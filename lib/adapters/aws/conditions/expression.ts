/**
 * Builds the expressions of one request. Names and values become placeholders, because most of our
 * attribute names are reserved words of DynamoDB.
 */
import type { AttributeValue } from "@aws-sdk/client-dynamodb";

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
