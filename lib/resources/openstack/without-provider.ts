/**
 * A declared type that has no provider here. Its templates can be checked, but a stack that would
 * have to create such an object is refused.
 */
import type { Handler, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_LIFECYCLE } from "../lifecycles.ts";
import type { DeclaredType } from "./catalogue.ts";

/**
 * Heat's default policy allows these types only to administrators, and no project here has that
 * role.
 */
const NAMES: ReadonlySet<string> = new Set([
  "OS::Blazar::Host",
  "OS::Cinder::EncryptedVolumeType",
  "OS::Cinder::QoSAssociation",
  "OS::Cinder::QoSSpecs",
  "OS::Cinder::Quota",
  "OS::Cinder::VolumeType",
  "OS::Manila::ShareType",
  "OS::Neutron::ProviderNet",
  "OS::Neutron::QoSBandwidthLimitRule",
  "OS::Neutron::QoSDscpMarkingRule",
  "OS::Neutron::QoSMinimumBandwidthRule",
  "OS::Neutron::QoSMinimumPacketRateRule",
  "OS::Neutron::QoSPolicy",
  "OS::Neutron::Quota",
  "OS::Neutron::Segment",
  "OS::Nova::Flavor",
  "OS::Nova::HostAggregate",
  "OS::Nova::Quota",
  "OS::Octavia::AvailabilityZone",
  "OS::Octavia::AvailabilityZoneProfile",
  "OS::Octavia::Flavor",
  "OS::Octavia::FlavorProfile",
  "OS::Octavia::Quota",
]);
const KEYSTONE = "OS::Keystone::";

const isForAdministrators = (type: string): boolean => NAMES.has(type) || type.startsWith(KEYSTONE);

const INSTEAD: Readonly<Record<string, string>> = {
  "AWS::IAM::AccessKey": "No API here takes such keys: machines report to signed URLs. ",
  "AWS::IAM::User": "No API here knows such users: machines report to signed URLs. ",
  "AWS::EC2::Instance": "Machines that exist already are servers with --inventory FILE. ",
  "OS::Nova::Server": "Machines that exist already are servers with --inventory FILE. ",
};

const STUBS =
  "Run the stack with --stubs to rehearse it, or map the type in the resource registry.";

const refuseWith =
  (why: string): Handler =>
  async ({ resourceName }) => ({
    state: "failed",
    reason: `${resourceName}: ${why}`,
    errorType: "NotSupported",
  });

const SERVERS =
  "A host has them with --docker, --aws or --openstack, and a deployment with servers in the setting awsRoles or with openStackSecrets.";

/** By the beginning of a type: who makes its objects. */
const MAKERS: Readonly<Record<string, string>> = {
  "AWS::": "A host has them with --aws, and a deployment with the setting awsRoles.",
  "OS::Nova::": SERVERS,
  "OS::Neutron::": SERVERS,
  "OS::Cinder::": SERVERS,
};

const makersOf = (type: string): string => {
  const found = Object.entries(MAKERS).find(([beginning]) => type.startsWith(beginning));
  return found === undefined ? "" : ` ${found[1]}`;
};

export const withoutProvider = (
  { type, schema, takesSnapshots }: DeclaredType,
  told?: string,
): ResourceType => {
  const none = `No provider makes ${type} here.`;
  const why = told ?? `${none} ${INSTEAD[type] ?? ""}${STUBS}`;
  const refuse = refuseWith(why);
  const known = told ?? `${none}${makersOf(type)}`;
  const refuseDelete = refuseWith(`nothing here can delete its object, which stays. ${known}`);
  return {
    type,
    schema,
    withoutProvider: why,
    ...(isForAdministrators(type) ? { isReserved: true } : {}),
    lifecycle: {
      ...OWN_LIFECYCLE,
      handleCreate: refuse,
      handleUpdate: refuse,
      // The object was made by a provider that is no longer here. If the delete succeeded, the
      // object would stay and no row would name it.
      handleDelete: async (call, context) =>
        call.physicalResourceId === null
          ? { state: "finished", physicalResourceId: null }
          : refuseDelete(call, context),
      // Without this method an operation that waits would count as done.
      checkComplete: (call, _handle, context) =>
        (call.action === "DELETE" ? refuseDelete : refuse)(call, context),
    },
    ...(takesSnapshots ? { snapshots: { handleSnapshotDelete: refuse } } : {}),
  };
};
