/** Checks the API's answers against docs/api.yaml: status, content type and schema. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { ApiResponse } from "#lib/api/http.ts";
import { API_ROUTES } from "#lib/api/route.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "#lib/json.ts";
import { restDocument } from "../../../tools/packaging/rest-api.ts";

const read = parseJson(JSON.stringify(restDocument()));
const DOCUMENT: JsonObject = isJsonObject(read) ? read : {};
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(DOCUMENT, "api");

const pointerTo = (...path: readonly string[]): string =>
  path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

const member = (value: Json | undefined, ...path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((at, key) => (isJsonObject(at) ? at[key] : undefined), value);

/** Like the router, this uses the first pattern that fits. */
const patternOf = (method: string, path: string): string | undefined => {
  const parts = path.split("/");
  return API_ROUTES.find(
    (route) =>
      route.method === method &&
      route.pattern.split("/").length === parts.length &&
      route.pattern.split("/").every((part, at) => part.startsWith("{") || part === parts[at]),
  )?.pattern;
};

const compiled = new Map<string, ValidateFunction>();
const schemaAt = (pointer: string): ValidateFunction => {
  const known = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${encodeURI(pointer)}` });
  compiled.set(pointer, known);
  return known;
};

export const undocumented = (
  method: string,
  path: string,
  { status, headers, body }: ApiResponse,
): string | null => {
  const pattern = patternOf(method, path);
  if (pattern === undefined) return null;
  const place = ["paths", pattern, method.toLowerCase(), "responses", String(status)];
  const named = member(DOCUMENT, ...place);
  const name = `${method} ${pattern} with ${status}`;
  if (named === undefined) return `${name} is not in docs/api.yaml`;
  const ref = member(named, "$ref");
  const at = typeof ref === "string" ? ref.slice(2).split("/") : place;
  const content = member(DOCUMENT, ...at, "content");
  if (content === undefined) return body === null ? null : `${name} has a body`;
  const type = headers["Content-Type"] ?? "none";
  if (member(content, type) === undefined) return `${name} has the type ${type}`;
  if (type !== "application/json") return null;
  const fits = schemaAt(pointerTo(...at, "content", type, "schema"));
  if (fits(JSON.parse(body ?? "null"))) return null;
  return `${name} does not fit: ${ajv.errorsText(fits.errors)}`;
};
