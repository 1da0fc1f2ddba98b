import type { JsonObject } from "#lib/json.ts";
import type { CheckedDefinition, Problem } from "#lib/model/checked-definition.ts";
import { member } from "#lib/template/json-shape.ts";
import { pythonRepr } from "#lib/template/python-text.ts";

const SHARED = "access_as_shared";

const TYPES: readonly unknown[] = [
  "network",
  "qos_policy",
  "security_group",
  "address_scope",
  "subnetpool",
];

/** Only a network can be shared as external. */
const actionsOf = (type: unknown): readonly unknown[] =>
  type === "network" ? [SHARED, "access_as_external"] : [SHARED];

export const rbacPolicyProblem = (
  given: JsonObject,
  _name: string,
  { place, propertiesKey }: CheckedDefinition,
): Problem => {
  const type = member(given, "object_type") ?? "";
  // A type that is not known yet is empty.
  if (!TYPES.includes(type)) return `KeyError: ${place}: ${pythonRepr(type)}`;
  const action = member(given, "action");
  const actions = actionsOf(type);
  return actions.includes(action)
    ? null
    : `Property error: ${place}.${propertiesKey}.action: Invalid action "${String(action)}" for object type ${String(type)}. Valid actions: ${actions.join(", ")}`;
};
