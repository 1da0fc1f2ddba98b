/** Flat records as DynamoDB's attribute values, for the images of the change feed. */
import type { AttributeValue } from "aws-lambda";

type Scalar = string | number | boolean | null;

const attribute = (value: Scalar): AttributeValue => {
  if (value === null) return { NULL: true };
  if (typeof value === "string") return { S: value };
  if (typeof value === "number") return { N: String(value) };
  return { BOOL: value };
};

export const marshallImage = <Image extends { readonly [Name in keyof Image]: Scalar }>(
  image: Image,
): Record<string, AttributeValue> => {
  const attributes: Record<string, AttributeValue> = {};
  for (const name in image) attributes[name] = attribute(image[name]);
  return attributes;
};
