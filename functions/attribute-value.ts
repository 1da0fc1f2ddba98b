/**
 * Converts DynamoDB's attribute values to JSON. Only the kinds that our tables use are supported.
 */
import type { AttributeValue } from "aws-lambda";
import { Bug } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";

export const fromAttributes = (attributes: Readonly<Record<string, AttributeValue>>): JsonObject =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, fromAttribute(value)]),
  );

const fromAttribute = (value: AttributeValue): Json => {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  if (value.B !== undefined) return value.B;
  if (value.M !== undefined) return fromAttributes(value.M);
  if (value.L !== undefined) return value.L.map(fromAttribute);
  throw new Bug(`an attribute value of kind ${Object.keys(value).join()} is not read here`);
};
