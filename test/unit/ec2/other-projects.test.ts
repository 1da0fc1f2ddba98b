/** Projects may share an account. What Hearth has made for one is out of another's reach. */
import { describe, expect, it } from "vitest";
import type { Answer, JsonObject } from "#provider/provider.ts";
import { callOf } from "../../contract/provider-call.ts";
import { type Answers, typeAnswering } from "./answering-account.ts";

const OTHER = [{ Key: "hearth:tenant", Value: "other" }];
const OWN = [{ Key: "hearth:tenant", Value: "demo" }];

const SUBNET = { SubnetId: "subnet-1" };
const NOTHING: Answers = {
  DescribeVpcsCommand: { Vpcs: [{ VpcId: "vpc-1" }] },
  DescribeSubnetsCommand: { Subnets: [SUBNET] },
  DescribeRouteTablesCommand: { RouteTables: [] },
  DescribeInstancesCommand: { Reservations: [] },
  RunInstancesCommand: { Instances: [{ InstanceId: "i-1" }] },
};

const makeServer = async (properties: JsonObject, answers: Answers): Promise<Answer> => {
  const whole = { image: "ami-1", flavor: "t3.small", ...properties };
  const type = await typeAnswering("OS::Nova::Server", { ...NOTHING, ...answers });
  return type.create(callOf("reach", { properties: whole }));
};

const MADE = { state: "waiting", handle: "i-1" };
const missing = (noun: string, name: string) => ({
  state: "failed",
  reason: `The ${noun} (${name}) could not be found.`,
});

const group = (Tags: object[]): Answers => ({
  DescribeSecurityGroupsCommand: {
    SecurityGroups: [{ GroupId: "sg-1", GroupName: "web", Tags }],
  },
});

describe.each(["sg-1", "web"])("the security group that a server names as %s", (name) => {
  const named = { security_groups: [name] };

  it("is refused if another project has made it", async () => {
    expect(await makeServer(named, group(OTHER))).toEqual(missing("SecurityGroup", name));
  });

  it("is taken if the project has made it, or nobody of Hearth", async () => {
    for (const tags of [OWN, []]) {
      expect(await makeServer(named, group(tags))).toMatchObject(MADE);
    }
  });
});

it("a rule names no group of another project", async () => {
  const own = { GroupId: "sg-2", GroupName: "own", Tags: OTHER };
  const answers = { DescribeSecurityGroupsCommand: { SecurityGroups: [own] } };
  const type = await typeAnswering("OS::Neutron::SecurityGroup", { ...NOTHING, ...answers });
  const properties = { rules: [{ remote_group_id: "sg-1" }] };
  const at = { ...callOf("reach", { properties }), physicalId: "sg-2", handle: "sg-2" };
  expect(await type.poll?.(at)).toMatchObject(missing("SecurityGroup", "sg-1"));
});

describe("the key pair that a server names", () => {
  const key = (Tags: object[]): Answers => ({
    DescribeKeyPairsCommand: { KeyPairs: [{ KeyName: "k", Tags }] },
  });

  it("is refused if another project has made it", async () => {
    expect(await makeServer({ key_name: "k" }, key(OTHER))).toEqual(missing("Key", "k"));
  });

  it("is taken if the project has made it, or nobody of Hearth", async () => {
    for (const tags of [OWN, []]) {
      expect(await makeServer({ key_name: "k" }, key(tags))).toMatchObject(MADE);
    }
  });
});

it("of a VPC no subnet of another project is taken", async () => {
  const subnets = { DescribeSubnetsCommand: { Subnets: [{ ...SUBNET, Tags: OTHER }] } };
  expect(await makeServer({ networks: [{ network: "vpc-1" }] }, subnets)).toEqual(
    missing("Network", "vpc-1"),
  );
  expect(await makeServer({ networks: [{ network: "vpc-1" }] }, {})).toMatchObject(MADE);
});
