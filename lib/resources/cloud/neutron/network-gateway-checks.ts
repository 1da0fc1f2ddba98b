import type { Json, JsonObject } from "#lib/json.ts";
import { isJsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { isGiven, isTrue } from "#lib/resources/cloud/given-values.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";

const connectionProblem = (connection: Json): string | null => {
  if (!isJsonObject(connection)) return null;
  const type = member(connection, "segmentation_type");
  if (type === "vlan" && !isGiven(connection, "segmentation_id")) {
    return "segmentation_id must be specified for using vlan";
  }
  return type === "flat" && isTrue(connection, "segmentation_id")
    ? "segmentation_id cannot be specified except 0 for using flat"
    : null;
};

export const networkGatewayProblem = (given: JsonObject): Problem => {
  const connections = member(given, "connections") ?? null;
  if (!isJsonArray(connections)) return null;
  return connections.map(connectionProblem).find((problem) => problem !== null) ?? null;
};
