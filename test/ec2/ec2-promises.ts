/**
 * What EC2 refuses but moto accepts, and what EC2 does by itself. The client here asks moto
 * directly, not through the proxy.
 */
import type { EC2, Instance } from "@aws-sdk/client-ec2";

export interface Refusal {
  readonly code: string;
  readonly message: string;
}

export interface Promises {
  refuse(action: string, fields: URLSearchParams): Promise<Refusal | null>;
  /** True for a repeated call that EC2 answers but that fails on moto. */
  isDone(action: string, fields: URLSearchParams): Promise<boolean>;
  follow(action: string, fields: URLSearchParams): Promise<void>;
}

const refusal = (code: string, message = code): Refusal => ({ code, message });

const livesOn = (ec2: EC2) => async (id: string | undefined) => {
  if (id === undefined) return false;
  const { Reservations = [] } = await ec2.describeInstances({ InstanceIds: [id] });
  const [instance] = Reservations.flatMap(({ Instances = [] }): Instance[] => Instances);
  return instance?.State?.Name !== "terminated";
};

const isUsed = async (ec2: EC2, id: string): Promise<boolean> => {
  const given = { Filters: [{ Name: "network-interface-id", Values: [id] }] };
  const { NetworkInterfaces: [found] = [] } = await ec2.describeNetworkInterfaces(given);
  return livesOn(ec2)(found?.Attachment?.InstanceId);
};

/** moto keeps the interfaces of terminated instances, so only those in use are counted. */
const interfacesIn = async (ec2: EC2, subnet: string): Promise<number> => {
  const given = { Filters: [{ Name: "subnet-id", Values: [subnet] }] };
  const { NetworkInterfaces = [] } = await ec2.describeNetworkInterfaces(given);
  let used = 0;
  for (const { Attachment, TagSet = [] } of NetworkInterfaces) {
    const isOwn = TagSet.some(({ Key }) => Key === "hearth:operation");
    if (isOwn || (await livesOn(ec2)(Attachment?.InstanceId))) used += 1;
  }
  return used;
};

const interfacesOf = (fields: URLSearchParams): readonly string[] =>
  [...fields]
    .filter(([name]) => /^NetworkInterface\.\d+\.NetworkInterfaceId$/.test(name))
    .map(([, id]) => id);

/** An interface has one instance, and an instance has one interface for each index. */
const whyNotAttached = async (ec2: EC2, fields: URLSearchParams): Promise<Refusal | null> => {
  if (await isUsed(ec2, fields.get("NetworkInterfaceId") ?? "")) {
    return refusal("InvalidNetworkInterface.InUse");
  }
  const InstanceIds = [fields.get("InstanceId") ?? ""];
  const { Reservations = [] } = await ec2.describeInstances({ InstanceIds });
  const [instance] = Reservations.flatMap(({ Instances = [] }): Instance[] => Instances);
  const index = fields.get("DeviceIndex");
  return instance?.NetworkInterfaces?.some(
    ({ Attachment }) => String(Attachment?.DeviceIndex) === index,
  )
    ? refusal("InvalidParameterValue", `it already has an interface at device index ${index}`)
    : null;
};

const isFirst = async (ec2: EC2, attachment: string): Promise<boolean> => {
  const Filters = [{ Name: "attachment.attachment-id", Values: [attachment] }];
  const { NetworkInterfaces: [found] = [] } = await ec2.describeNetworkInterfaces({ Filters });
  return found?.Attachment?.DeviceIndex === 0;
};

const refuse = async (
  ec2: EC2,
  action: string,
  fields: URLSearchParams,
): Promise<Refusal | null> => {
  const text = (name: string): string => fields.get(name) ?? "";
  switch (action) {
    case "RunInstances": {
      const used = await Promise.all(interfacesOf(fields).map((id) => isUsed(ec2, id)));
      return used.includes(true) ? refusal("InvalidNetworkInterface.InUse") : null;
    }
    case "AttachNetworkInterface":
      return whyNotAttached(ec2, fields);
    case "DetachNetworkInterface":
      return (await isFirst(ec2, text("AttachmentId"))) ? refusal("OperationNotPermitted") : null;
    case "DeleteNetworkInterface":
      return (await isUsed(ec2, text("NetworkInterfaceId")))
        ? refusal("InvalidParameterValue", "the interface is currently in use")
        : null;
    case "DeleteSubnet":
      return (await interfacesIn(ec2, text("SubnetId"))) > 0
        ? refusal("DependencyViolation")
        : null;
    case "AttachVolume": {
      const Filters = [{ Name: "volume-id", Values: [text("VolumeId")] }];
      const { Volumes: [volume] = [] } = await ec2.describeVolumes({ Filters });
      return (volume?.Attachments ?? []).length > 0 ? refusal("VolumeInUse") : null;
    }
    case "ReleaseAddress": {
      const Filters = [{ Name: "allocation-id", Values: [text("AllocationId")] }];
      const { Addresses: [address] = [] } = await ec2.describeAddresses({ Filters });
      return address?.AssociationId === undefined ? null : refusal("InvalidIPAddress.InUse");
    }
    default:
      return null;
  }
};

/** moto tries to remove the interfaces of a terminated instance again, and fails. */
const isDone = async (ec2: EC2, action: string, fields: URLSearchParams): Promise<boolean> => {
  if (action !== "TerminateInstances") return false;
  const ids = [...fields].filter(([name]) => name.startsWith("InstanceId.")).map(([, id]) => id);
  return !(await Promise.all(ids.map(livesOn(ec2)))).includes(true);
};

const letGo = async (ec2: EC2, id: string): Promise<void> => {
  const Filters = [{ Name: "attachment.instance-id", Values: [id] }];
  const { Volumes = [] } = await ec2.describeVolumes({ Filters });
  for (const { VolumeId } of Volumes) await ec2.detachVolume({ VolumeId, InstanceId: id });
};

const follow = async (ec2: EC2, action: string, fields: URLSearchParams): Promise<void> => {
  if (action === "TerminateInstances") {
    for (const [name, id] of fields) if (name.startsWith("InstanceId.")) await letGo(ec2, id);
  }
  if (action !== "DeleteSubnet") return;
  const subnet = fields.get("SubnetId") ?? "";
  const Filters = [{ Name: "association.subnet-id", Values: [subnet] }];
  const { RouteTables = [] } = await ec2.describeRouteTables({ Filters });
  for (const { SubnetId, RouteTableAssociationId: id } of RouteTables.flatMap(
    ({ Associations = [] }) => Associations,
  )) {
    if (SubnetId === subnet) await ec2.disassociateRouteTable({ AssociationId: id });
  }
};

export const promisesOf = (ec2: EC2): Promises => ({
  refuse: (action, fields) => refuse(ec2, action, fields),
  isDone: (action, fields) => isDone(ec2, action, fields),
  follow: (action, fields) => follow(ec2, action, fields),
});
