import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { isTrue, reads } from "#lib/resources/cloud/given-values.ts";
import { isEmpty, isJsonArray, member } from "#lib/template/json-shape.ts";

const mappingProblem = (mapping: Json): string | null => {
  const volume = isJsonObject(mapping) ? (member(mapping, "Ebs") ?? null) : null;
  if (!isJsonObject(volume) || isEmpty(volume)) {
    return "Ebs is missing, this is required when specifying BlockDeviceMappings.";
  }
  return isTrue(volume, "SnapshotId")
    ? null
    : "SnapshotId is missing, this is required when specifying BlockDeviceMappings.";
};

export const launchConfigurationProblem = (given: JsonObject): Problem => {
  const mappings = member(given, "BlockDeviceMappings") ?? null;
  const wrong = isJsonArray(mappings)
    ? mappings.map(mappingProblem).find((problem) => problem !== null)
    : undefined;
  if (wrong !== undefined) return wrong;
  if (isTrue(given, "InstanceId")) return null;
  reads(given, "ImageId", "InstanceType");
  return isTrue(given, "ImageId") && isTrue(given, "InstanceType")
    ? null
    : "If without InstanceId, ImageId and InstanceType are required.";
};
