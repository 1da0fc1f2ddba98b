import type { EC2, Tag } from "@aws-sdk/client-ec2";

const MADE = { Filters: [{ Name: "tag-key", Values: ["hearth:operation"] }] };
const ROOT = "/dev/sda1";

const tagIn = (tags: readonly Tag[] | undefined, key: string): string =>
  tags?.find(({ Key }) => Key === key)?.Value ?? "";

const tablesOf =
  (kind: string) =>
  async (ec2: EC2): Promise<readonly string[]> =>
    ((await ec2.describeRouteTables(MADE)).RouteTables ?? [])
      .filter(({ Tags }) => tagIn(Tags, "hearth:kind") === kind)
      .map(({ RouteTableId = "" }) => RouteTableId);

const routersOfSubnets = async (ec2: EC2): Promise<readonly string[]> => {
  const Filters = [{ Name: "tag:hearth:kind", Values: ["router"] }];
  const { RouteTables = [] } = await ec2.describeRouteTables({ Filters });
  return RouteTables.flatMap(({ RouteTableId, Associations = [] }) =>
    Associations.map(({ SubnetId }) => `${RouteTableId}:subnet_id=${SubnetId}`),
  );
};

const LIVES = {
  Name: "instance-state-name",
  Values: ["pending", "running", "shutting-down", "stopping", "stopped"],
};

/** moto also lists terminated instances, so the filter leaves them out. */
const instances = async (ec2: EC2): Promise<readonly string[]> => {
  const Filters = [...MADE.Filters, LIVES];
  const { Reservations = [] } = await ec2.describeInstances({ Filters });
  const all = Reservations.flatMap(({ Instances = [] }) => Instances);
  return all.map(({ Tags }) => tagIn(Tags, "hearth:id"));
};

/** True for objects of the tests, since only those of Hearth have this tag. */
const isFixture = (tags: readonly Tag[] | undefined): boolean =>
  tagIn(tags, "hearth:operation") === "";

const leadingAddresses = async (ec2: EC2): Promise<readonly string[]> =>
  ((await ec2.describeAddresses({})).Addresses ?? [])
    .filter(({ Tags, AssociationId }) => isFixture(Tags) && AssociationId !== undefined)
    .map(({ AllocationId = "" }) => AllocationId);

const attachedVolumes = async (ec2: EC2): Promise<readonly string[]> =>
  ((await ec2.describeVolumes({})).Volumes ?? [])
    .filter(({ Tags, Attachments = [] }) =>
      Attachments.some(({ Device }) => isFixture(Tags) && Device !== ROOT),
    )
    .map(({ VolumeId = "" }) => VolumeId);

/** Interfaces that belong to a server have its id as a tag; ports have none. */
const interfacesWith = async (ec2: EC2, isOfServer: boolean) =>
  ((await ec2.describeNetworkInterfaces(MADE)).NetworkInterfaces ?? []).filter(
    ({ TagSet }) => (tagIn(TagSet, "hearth:id") !== "") === isOfServer,
  );

const looseInterfaces = async (ec2: EC2): Promise<readonly string[]> => {
  const servers = await instances(ec2);
  const own = await interfacesWith(ec2, true);
  return own
    .filter(
      ({ TagSet, Attachment }) =>
        Attachment === undefined || !servers.includes(tagIn(TagSet, "hearth:id")),
    )
    .map(({ NetworkInterfaceId = "" }) => NetworkInterfaceId);
};

const LISTS: Readonly<Record<string, (ec2: EC2) => Promise<readonly string[]>>> = {
  "OS::Nova::KeyPair": async (ec2) =>
    ((await ec2.describeKeyPairs(MADE)).KeyPairs ?? []).map(({ KeyName = "" }) => KeyName),
  "OS::Neutron::SecurityGroup": async (ec2) =>
    ((await ec2.describeSecurityGroups(MADE)).SecurityGroups ?? []).map(
      ({ GroupId = "" }) => GroupId,
    ),
  "OS::Nova::Server": instances,
  "OS::Neutron::Net": tablesOf("net"),
  "OS::Neutron::Subnet": async (ec2) =>
    ((await ec2.describeSubnets(MADE)).Subnets ?? []).map(({ SubnetId = "" }) => SubnetId),
  "OS::Neutron::Port": async (ec2) =>
    (await interfacesWith(ec2, false)).map(({ NetworkInterfaceId = "" }) => NetworkInterfaceId),
  "OS::Neutron::Router": tablesOf("router"),
  "OS::Neutron::RouterInterface": routersOfSubnets,
  "OS::Neutron::FloatingIP": async (ec2) =>
    ((await ec2.describeAddresses(MADE)).Addresses ?? []).map(
      ({ AllocationId = "" }) => AllocationId,
    ),
  "OS::Neutron::FloatingIPAssociation": leadingAddresses,
  "OS::Cinder::Volume": async (ec2) => {
    const { Volumes = [] } = await ec2.describeVolumes(MADE);
    // The disk of an instance has the instance's tags.
    return Volumes.filter(({ Tags }) => tagIn(Tags, "hearth:id") === "").map(
      ({ VolumeId = "" }) => VolumeId,
    );
  },
  "OS::Cinder::VolumeAttachment": attachedVolumes,
};

export const idsOf = async (ec2: EC2, type: string): Promise<readonly string[]> => {
  const list = LISTS[type];
  if (list === undefined) throw new Error(`nothing lists ${type}`);
  return list(ec2);
};

export const leftOver = async (ec2: EC2): Promise<readonly string[]> => {
  const lists = [...Object.values(LISTS), looseInterfaces];
  return (await Promise.all(lists.map((list) => list(ec2)))).flat();
};
