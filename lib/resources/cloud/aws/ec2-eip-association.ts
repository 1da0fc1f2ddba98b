import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { reads } from "#lib/resources/cloud/given-values.ts";
import { isSet, noneOf } from "#lib/resources/cloud/refusals.ts";

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

export const awsEc2EipAssociation: DeclaredType = {
  type: "AWS::EC2::EIPAssociation",
  schema: {
    description: "Gives a floating IP address to a server or a network interface.",
    templateName: "ElasticIpAssociation",
    properties: {
      InstanceId: {
        type: "string",
        description: "The ID of the server that gets the address.",
        updateAllowed: true,
        constraints: [{ custom: "nova.server" }],
      },
      EIP: {
        type: "string",
        description: "The floating IP address.",
        updateAllowed: true,
        constraints: [{ custom: "ip_addr" }],
      },
      AllocationId: {
        type: "string",
        description: "The ID of the floating IP address.",
        updateAllowed: true,
      },
      NetworkInterfaceId: {
        type: "string",
        description: "The ID of the network interface that gets the address.",
        updateAllowed: true,
      },
    },
    attributes: {},
    mustReplace,
    validate,
  },
};
