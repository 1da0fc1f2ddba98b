import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import {
  type DeclaredType,
  declaredTypes,
  type TypeRules,
} from "#lib/resources/cloud/declared-type.ts";
import { reads } from "#lib/resources/cloud/given-values.ts";
import { isSet, noneOf } from "#lib/resources/cloud/refusals.ts";
import { awsEc2Instance } from "./ec2-instance.ts";
import { awsElbLoadBalancer } from "./elb-load-balancer.ts";
import types from "./types.json" with { type: "json" };

const validate = (given: JsonObject): Refusal | null => {
  reads(given, "EIP", "AllocationId", "InstanceId", "NetworkInterfaceId");
  if (isSet(given, "EIP") === isSet(given, "AllocationId")) {
    return "Either 'EIP' or 'AllocationId' must be provided.";
  }
  if (isSet(given, "InstanceId")) return null;
  if (isSet(given, "EIP")) return "Must specify 'InstanceId' if you specify 'EIP'.";
  return isSet(given, "NetworkInterfaceId") ? null : noneOf("InstanceId", "NetworkInterfaceId");
};

/** Another address on another server is a new association. */
const mustReplace = (_: JsonObject, after: JsonObject, changed: readonly string[]): boolean =>
  ["AllocationId", "EIP"].some((key) => changed.includes(key)) &&
  ["InstanceId", "NetworkInterfaceId"].some((key) => changed.includes(key) && isSet(after, key));

const awsEc2EipAssociation: TypeRules = {
  mustReplace,
  validate,
};

export const AWS_TYPES: readonly DeclaredType[] = declaredTypes(types, {
  "AWS::EC2::EIPAssociation": awsEc2EipAssociation,
  "AWS::EC2::Instance": awsEc2Instance,
  "AWS::ElasticLoadBalancing::LoadBalancer": awsElbLoadBalancer,
});
