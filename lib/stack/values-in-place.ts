/**
 * The template of a group whose members get their values from its parameters, as users see it: like
 * Heat's, with values in place of the calls. The stored template has calls, because user data may
 * look like a call.
 */
import { withoutBarriers } from "#lib/groups/barriers.ts";
import { templateDocument } from "#lib/groups/template-document.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";
import { isJsonArray, member, sectionOf } from "#lib/template/json-shape.ts";
import { REDACTED, redactMembers } from "#lib/template/secrets.ts";

const calledValue = (values: JsonObject, call: Json): Json => {
  const [name, key] = isJsonArray(call) ? call : [call];
  const value = member(values, String(name)) ?? null;
  if (key === undefined || value === REDACTED || !isJsonObject(value)) return value;
  return member(value, String(key)) ?? null;
};

const inPlace = (values: JsonObject, body: JsonObject): JsonObject => {
  const properties = sectionOf(body, "properties");
  const entries = Object.entries(properties).map(([name, value]): [string, Json] => {
    const call = isJsonObject(value) ? member(value, "get_param") : undefined;
    return [name, call === undefined ? value : calledValue(values, call)];
  });
  return mapOf<Json>([...Object.entries(body), ["properties", mapOf(entries)]]);
};

const hiddenNames = (template: JsonObject): ReadonlySet<string> =>
  new Set(
    Object.entries(sectionOf(template, "parameters")).flatMap(([name, schema]) =>
      isJsonObject(schema) && member(schema, "hidden") === true ? [name] : [],
    ),
  );

export const templateWithValues = (template: JsonObject, parameters: JsonObject): JsonObject => {
  const hidden = hiddenNames(template);
  const values = redactMembers(parameters, (name) => hidden.has(name));
  const resources = withoutBarriers(sectionOf(template, "resources"));
  const bodies = Object.keys(resources).map((name): [string, JsonObject] => [
    name,
    inPlace(values, sectionOf(resources, name)),
  ]);
  return templateDocument("2015-04-30", bodies, new Map());
};
