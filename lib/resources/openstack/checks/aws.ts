import * as z from "zod/mini";
import { propertyConflict, propertyUnspecified } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { jsonObject, plainNumber } from "#lib/json-schema.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { isSet, reads } from "../../given-values.ts";
import type { TypeRules } from "../catalogue.ts";

const healthCheckSchema = z.optional(z.object({ Interval: plainNumber, Timeout: plainNumber }));

const refuseLoadBalancer = (given: JsonObject): string | null => {
  reads(given, "SecurityGroups");
  const check = healthCheckSchema.parse(given["HealthCheck"]);
  // Heat reports this error as the text of a Python dictionary.
  return check !== undefined && check.Interval < check.Timeout
    ? "{'Error': 'Interval must be larger than Timeout'}"
    : null;
};

const mappingsSchema = z._default(z.array(z.object({ Ebs: z.optional(jsonObject) })), []);

const refuseInstance = (given: JsonObject): Problem => {
  reads(given, "SecurityGroups", "SecurityGroupIds", "NetworkInterfaces");
  const hasGroups = isSet(given, "SecurityGroups") || isSet(given, "SecurityGroupIds");
  if (hasGroups && isSet(given, "NetworkInterfaces")) {
    return propertyConflict("SecurityGroups/SecurityGroupIds", "NetworkInterfaces");
  }
  for (const { Ebs: ebs } of mappingsSchema.parse(given["BlockDeviceMappings"])) {
    const missing = ebs === undefined ? "Ebs" : "SnapshotId";
    if (ebs === undefined || !isSet(ebs, "SnapshotId")) {
      return `${missing} is missing, this is required when specifying BlockDeviceMappings.`;
    }
  }
  return reads(given, "SubnetId");
};

const refuseAssociation = (given: JsonObject): Problem => {
  reads(given, "EIP", "AllocationId", "InstanceId", "NetworkInterfaceId");
  if (isSet(given, "EIP") === isSet(given, "AllocationId")) {
    return "Either 'EIP' or 'AllocationId' must be provided.";
  }
  if (isSet(given, "InstanceId")) return null;
  if (isSet(given, "EIP")) return "Must specify 'InstanceId' if you specify 'EIP'.";
  return isSet(given, "NetworkInterfaceId")
    ? null
    : propertyUnspecified("InstanceId", "NetworkInterfaceId");
};

const mustReplaceAssociation = (
  _: JsonObject,
  after: JsonObject,
  changed: readonly string[],
): boolean =>
  ["AllocationId", "EIP"].some((key) => changed.includes(key)) &&
  ["InstanceId", "NetworkInterfaceId"].some((key) => changed.includes(key) && isSet(after, key));

export const AWS_RULES: Readonly<Record<string, TypeRules>> = {
  "AWS::EC2::EIPAssociation": {
    mustReplace: mustReplaceAssociation,
    validate: refuseAssociation,
  },
  "AWS::EC2::Instance": { validate: refuseInstance },
  "AWS::ElasticLoadBalancing::LoadBalancer": { validate: refuseLoadBalancer },
};
