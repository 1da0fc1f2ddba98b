/** The part of JSON Schema draft 7 that agent-wire.schema.json uses. */
import { isJsonObject, type Json, type JsonObject, jsonEquals } from "#lib/json.ts";

const typeOf = (value: Json): string => {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
};

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

const object = (value: Json | undefined): JsonObject =>
  value !== undefined && isJsonObject(value) ? value : {};

const isText = (value: Json | undefined): value is string => typeof value === "string";

export const violations = (
  root: JsonObject,
  schema: JsonObject,
  value: Json,
  path = "$",
): string[] => {
  const inner = (part: Json | undefined, at: Json, where: string) =>
    violations(root, object(part), at, where);
  if (isText(schema["$ref"])) {
    const name = schema["$ref"].split("/").at(-1) ?? "";
    return inner(object(root["definitions"])[name], value, path);
  }
  const found: string[] = [];
  const check = (keyword: string, holds: () => boolean) => {
    if (keyword in schema && !holds()) found.push(`${path}: ${keyword}`);
  };
  const types = isText(schema["type"]) ? [schema["type"]] : list(schema["type"]);
  check("type", () => types.includes(typeOf(value)));
  check("enum", () => list(schema["enum"]).some((member) => jsonEquals(member, value)));
  check("const", () => jsonEquals(schema["const"] ?? null, value));
  check("not", () => inner(schema["not"], value, path).length > 0);
  if (isText(value)) {
    check(
      "pattern",
      () => !isText(schema["pattern"]) || new RegExp(schema["pattern"], "u").test(value),
    );
    check("minLength", () => value.length >= Number(schema["minLength"]));
  }
  if (Array.isArray(value)) {
    check("minItems", () => value.length >= Number(schema["minItems"]));
    check("contains", () =>
      value.some((item) => inner(schema["contains"], item, path).length === 0),
    );
    value.forEach((item, at) => {
      found.push(...inner(schema["items"], item, `${path}[${at}]`));
    });
  }
  if (isJsonObject(value)) {
    check("required", () => list(schema["required"]).every((key) => isText(key) && key in value));
    for (const [key, part] of Object.entries(object(schema["properties"]))) {
      const member = value[key];
      if (member !== undefined) found.push(...inner(part, member, `${path}.${key}`));
    }
  }
  for (const part of list(schema["allOf"])) found.push(...inner(part, value, path));
  if ("if" in schema && inner(schema["if"], value, path).length === 0) {
    found.push(...inner(schema["then"], value, path));
  }
  return found;
};
