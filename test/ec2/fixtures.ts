/** Objects of moto that the types need but Hearth does not create. */
import type { EC2 } from "@aws-sdk/client-ec2";
import { IMAGE } from "./provider-play.ts";

export interface Fixtures {
  readonly net: string;
  readonly subnet: string;
  readonly router: string;
  readonly ports: readonly [string, string];
  readonly servers: readonly [string, string];
  readonly address: string;
  readonly volume: string;
}

export const VPC_RANGE = "172.31";
const RANGE = `${VPC_RANGE}.64.0/24`;

const vpcIn = async (ec2: EC2): Promise<string> => {
  const Filters = [{ Name: "is-default", Values: ["true"] }];
  return (await ec2.describeVpcs({ Filters })).Vpcs?.[0]?.VpcId ?? "";
};

/** The default VPC of AWS has a gateway, and moto's has none. */
export const attachGateway = async (ec2: EC2): Promise<void> => {
  const { InternetGateway: made } = await ec2.createInternetGateway({});
  const InternetGatewayId = made?.InternetGatewayId;
  await ec2.attachInternetGateway({ InternetGatewayId, VpcId: await vpcIn(ec2) });
};

export const nameSubnet = async (ec2: EC2, CidrBlock: string, name: string): Promise<void> => {
  const Tags = [{ Key: "Name", Value: name }];
  const TagSpecifications = [{ ResourceType: "subnet" as const, Tags }];
  const VpcId = await vpcIn(ec2);
  const AvailabilityZone = "eu-central-1a";
  await ec2.createSubnet({ VpcId, CidrBlock, AvailabilityZone, TagSpecifications });
};

const tableIn = async (ec2: EC2, VpcId: string, kind: string): Promise<string> => {
  const Tags = [{ Key: "hearth:kind", Value: kind }];
  const TagSpecifications = [{ ResourceType: "route-table" as const, Tags }];
  const { RouteTable: made } = await ec2.createRouteTable({ VpcId, TagSpecifications });
  return made?.RouteTableId ?? "";
};

const subnetIn = async (ec2: EC2, VpcId: string, net: string): Promise<string> => {
  const Tags = [{ Key: "hearth:net", Value: net }];
  const TagSpecifications = [{ ResourceType: "subnet" as const, Tags }];
  const given = { VpcId, CidrBlock: RANGE, AvailabilityZone: "eu-central-1a", TagSpecifications };
  const { Subnet: made } = await ec2.createSubnet(given);
  const SubnetId = made?.SubnetId ?? "";
  await ec2.associateRouteTable({ SubnetId, RouteTableId: net });
  return SubnetId;
};

const serverIn = async (ec2: EC2): Promise<string> => {
  const given = { ImageId: IMAGE, MinCount: 1, MaxCount: 1 };
  const { Instances: [made] = [] } = await ec2.runInstances(given);
  return made?.InstanceId ?? "";
};

export const makeFixtures = async (ec2: EC2): Promise<Fixtures> => {
  const vpc = await vpcIn(ec2);
  const net = await tableIn(ec2, vpc, "net");
  const subnet = await subnetIn(ec2, vpc, net);
  const port = async (): Promise<string> => {
    const { NetworkInterface: made } = await ec2.createNetworkInterface({ SubnetId: subnet });
    return made?.NetworkInterfaceId ?? "";
  };
  const address = await ec2.allocateAddress({ Domain: "vpc" });
  const volume = await ec2.createVolume({ AvailabilityZone: "eu-central-1a", Size: 1 });
  return {
    net,
    subnet,
    router: await tableIn(ec2, vpc, "router"),
    ports: [await port(), await port()],
    servers: [await serverIn(ec2), await serverIn(ec2)],
    address: address.AllocationId ?? "",
    volume: volume.VolumeId ?? "",
  };
};
