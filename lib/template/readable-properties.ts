/** Properties that were not validated. As in Heat, a wrong value throws only when it is read. */
import { RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { hiddenProperties } from "./hidden-references.ts";
import { readProperty } from "./properties.ts";
import type { ResourceDefinition, Template } from "./template.ts";
import { NamesConflict } from "./translations.ts";
import { type TypeSchema, translatedBy } from "./type-schema.ts";

const PREFIX = "Property error: : ";

/** Heat's plugin reports a Python error here, not the place of the value, unless names conflict. */
const withoutPlace = (failure: unknown): unknown => {
  if (!(failure instanceof RequestError) || !failure.message.startsWith(PREFIX)) return failure;
  const code = failure instanceof NamesConflict ? failure.code : "ValueError";
  return new RequestError(code, 400, failure.message.slice(PREFIX.length));
};

export interface Readable {
  readonly template: Template;
  readonly definition: ResourceDefinition;
  readonly type: TypeSchema;
  readonly values: JsonObject;
  readonly failure?: (error: unknown) => unknown;
}

export const readableProperties = ({
  template,
  definition,
  type,
  values,
  failure = (error) => error,
}: Readable): JsonObject => {
  const schemas = type.properties;
  if (schemas === "any") return values;
  const secret = hiddenProperties(template, definition.properties);
  const readable = {};
  for (const key of Object.keys(schemas)) {
    try {
      const options = { ...translatedBy(type, definition), secret };
      const value = readProperty(schemas, values, key, options);
      if (value !== undefined) Object.defineProperty(readable, key, { enumerable: true, value });
    } catch (error) {
      const get = (): never => {
        throw failure(withoutPlace(error));
      };
      Object.defineProperty(readable, key, { enumerable: true, get });
    }
  }
  return readable;
};

export const isUnreadable = (properties: JsonObject, key: string): boolean =>
  Object.getOwnPropertyDescriptor(properties, key)?.get !== undefined;
