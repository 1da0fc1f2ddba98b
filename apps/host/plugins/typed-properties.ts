import { plainObject, schemaOf } from "#lib/resources/provided/provided-schema.ts";
import { coerceProperties } from "#lib/template/check/properties.ts";
import type { JsonObject, ProvidedType } from "#provider/provider.ts";

/**
 * Throws RequestError for the first property that the type refuses. `place` is where they come
 * from.
 */
export const typedProperties = (
  type: ProvidedType,
  given: JsonObject,
  place: string,
): JsonObject => {
  const secrets = Object.entries(type.properties).filter(([, schema]) => schema.secret);
  const secret = new Set(secrets.map(([name]) => name));
  return plainObject(coerceProperties(schemaOf(type).properties, given, place, { secret }));
};
