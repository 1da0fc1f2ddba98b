import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { TypeRules } from "#lib/resources/cloud/declared-type.ts";
import { reads } from "#lib/resources/cloud/given-values.ts";
import { conflictOf, isSet } from "#lib/resources/cloud/refusals.ts";

const mappingsSchema = z._default(z.array(z.object({ Ebs: z.optional(jsonObject) })), []);

const validate = (given: JsonObject): Refusal | null => {
  reads(given, "SecurityGroups", "SecurityGroupIds", "NetworkInterfaces");
  const hasGroups = isSet(given, "SecurityGroups") || isSet(given, "SecurityGroupIds");
  if (hasGroups && isSet(given, "NetworkInterfaces")) {
    return conflictOf("SecurityGroups/SecurityGroupIds", "NetworkInterfaces");
  }
  for (const { Ebs: ebs } of mappingsSchema.parse(given["BlockDeviceMappings"])) {
    const missing = ebs === undefined ? "Ebs" : "SnapshotId";
    if (ebs === undefined || !isSet(ebs, "SnapshotId")) {
      return `${missing} is missing, this is required when specifying BlockDeviceMappings.`;
    }
  }
  return reads(given, "SubnetId");
};

export const awsEc2Instance: TypeRules = {
  validate,
};
