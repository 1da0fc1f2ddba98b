/** The check of Neutron's resources that have no other one. The others of Heat leave it out. */
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import { member } from "#lib/template/json-shape.ts";
import types from "./types.json" with { type: "json" };

/** No further field may be a property of the type. */
export const valueSpecsProblem =
  (type: keyof typeof types) =>
  (given: JsonObject): string | null => {
    const specs = member(given, "value_specs") ?? null;
    if (!isJsonObject(specs)) return null;
    const banned = new Set(["shared", "tenant_id", ...Object.keys(types[type].properties)]);
    const found = Object.keys(specs).filter((key) => banned.has(key));
    return found.length === 0 ? null : `${found.join(", ")} not allowed in value_specs`;
  };
