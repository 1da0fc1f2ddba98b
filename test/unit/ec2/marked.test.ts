import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import { type Answers, typeAnswering } from "./answering-account.ts";

const tagsOf = (more: Readonly<Record<string, string>> = {}) =>
  Object.entries({
    "hearth:tenant": "demo",
    "hearth:stack": "stack-1",
    "hearth:stack_name": "app",
    "hearth:resource": "thing",
    "hearth:operation": "token",
    ...more,
  }).map(([Key, Value]) => ({ Key, Value }));

const idsOf = async (name: string, answers: Answers) => {
  const { marked } = await typeAnswering(name, answers);
  return (await present(marked, `the list of ${name}`)("demo")).map(({ physicalId: id }) => id);
};

/** Contains an object of another project, because EC2's filter reads the project as a pattern. */
const answer = (
  list: string,
  idKey: string,
  { tagsKey = "Tags", kind = {} }: { tagsKey?: string; kind?: Record<string, string> } = {},
) => ({
  [list]: [
    { [idKey]: "own", [tagsKey]: tagsOf(kind) },
    { [idKey]: "theirs", [tagsKey]: tagsOf({ ...kind, "hearth:tenant": "demo2" }) },
  ],
});
const table = (kind: string) =>
  answer("RouteTables", "RouteTableId", { kind: { "hearth:kind": kind } });
const PORTS = answer("NetworkInterfaces", "NetworkInterfaceId", { tagsKey: "TagSet" });

describe("the provider of EC2", () => {
  it.each<[string, Answers]>([
    ["OS::Nova::KeyPair", { DescribeKeyPairsCommand: answer("KeyPairs", "KeyName") }],
    [
      "OS::Neutron::SecurityGroup",
      { DescribeSecurityGroupsCommand: answer("SecurityGroups", "GroupId") },
    ],
    ["OS::Neutron::Net", { DescribeRouteTablesCommand: table("net") }],
    ["OS::Neutron::Router", { DescribeRouteTablesCommand: table("router") }],
    ["OS::Neutron::Subnet", { DescribeSubnetsCommand: answer("Subnets", "SubnetId") }],
    ["OS::Neutron::Port", { DescribeNetworkInterfacesCommand: PORTS }],
    ["OS::Neutron::FloatingIP", { DescribeAddressesCommand: answer("Addresses", "AllocationId") }],
    ["OS::Cinder::Volume", { DescribeVolumesCommand: answer("Volumes", "VolumeId") }],
  ])("lists each %s of the project, with what its tags say", async (name, answers) => {
    const { marked } = await typeAnswering(name, answers);
    const names = { stackId: "stack-1", stackName: "app", resourceName: "thing" };
    const found = await present(marked, `the list of ${name}`)("demo");
    expect(found).toEqual([{ physicalId: "own", ...names }]);
  });

  it("lists a server by the id of its row, and what has stayed of one", async () => {
    const servers = [{ InstanceId: "i-1", Tags: tagsOf({ "hearth:id": "web" }) }];
    const interfaces = ["web", "gone"].map((id) => ({
      NetworkInterfaceId: `eni-${id}`,
      TagSet: tagsOf({ "hearth:id": id }),
    }));
    const answers = {
      DescribeInstancesCommand: { Reservations: [{ Instances: servers }] },
      DescribeNetworkInterfacesCommand: { NetworkInterfaces: interfaces },
    };
    expect(await idsOf("OS::Nova::Server", answers)).toEqual(["web", "gone"]);
    expect(await idsOf("OS::Neutron::Port", answers)).toEqual([]);
  });

  it("reads all pages of a list", async () => {
    let page = 0;
    const answers = {
      get DescribeVolumesCommand() {
        page += 1;
        const more = page < 3 ? { NextToken: String(page) } : {};
        return { Volumes: [{ VolumeId: `vol-${page}`, Tags: tagsOf() }], ...more };
      },
    };
    const found = await idsOf("OS::Cinder::Volume", answers);
    expect(found).toEqual(["vol-1", "vol-2", "vol-3"]);
  });
});
