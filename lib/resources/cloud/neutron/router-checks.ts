import { propertyConflict } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { isTrue, reads } from "#lib/resources/cloud/given-values.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";

export const routerProblem = (given: JsonObject): Problem => {
  reads(given, "value_specs", "distributed");
  const hasAgent = isTrue(given, "l3_agent_id");
  const hasAgents = isTrue(given, "l3_agent_ids");
  const isDistributed = isTrue(given, "distributed");
  const isHa = isTrue(given, "ha");
  if (hasAgent && hasAgents) return propertyConflict("l3_agent_id", "l3_agent_ids");
  if (isDistributed && (hasAgent || hasAgents)) {
    return propertyConflict("distributed", "l3_agent_id/l3_agent_ids");
  }
  if (isHa && isDistributed) return propertyConflict("distributed", "ha");
  const agents = member(given, "l3_agent_ids") ?? null;
  return !isHa && isJsonArray(agents) && agents.length > 1
    ? "Non HA routers can only have one L3 agent."
    : null;
};
