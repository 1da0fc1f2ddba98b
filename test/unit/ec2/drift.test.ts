import { describe, expect, it } from "vitest";
import type { Action, JsonObject } from "#provider/provider.ts";
import { callOf } from "../../contract/provider-call.ts";
import { typeAnswering } from "./answering-account.ts";

const TAGS = [{ Key: "hearth:tenant", Value: "demo" }];
const OWN = { previousProperties: {} };

const ask = async (
  name: string,
  { action, properties, own = true }: { action: Action; properties: JsonObject; own?: boolean },
  answers: Readonly<Record<string, object>>,
  asked: string[] = [],
) => {
  const type = await typeAnswering(name, answers, { small: "t3.small" }, asked);
  const previousProperties = own ? properties : null;
  const call = callOf("drift", { ...OWN, action, properties, previousProperties });
  const at = { ...call, physicalId: "id-1" };
  return action === "CHECK" ? type.check?.(at) : type.update?.(at);
};

const check = (name: string, properties: JsonObject, answers: object, own = true) =>
  ask(name, { action: "CHECK", properties, own }, { ...answers });

const differs = (reason: string) => ({ state: "failed", health: "differs", reason });

describe("a check of EC2's objects", () => {
  const instance = (type: string) => {
    const one = { InstanceId: "i-1", InstanceType: type, State: { Name: "running" }, Tags: TAGS };
    return { DescribeInstancesCommand: { Reservations: [{ Instances: [one] }] } };
  };
  const none = { DescribeSubnetsCommand: { Subnets: [] } };

  it("tells another type of an instance, unless it was imported", async () => {
    const server = { image: "ami-1", flavor: "small" };
    const other = { ...instance("t3.large"), ...none };
    expect(await check("OS::Nova::Server", server, other)).toEqual(
      differs("its type is t3.large instead of t3.small"),
    );
    const imported = await check("OS::Nova::Server", server, other, false);
    expect(imported).toMatchObject({ state: "finished" });
    const same = { ...instance("t3.small"), ...none };
    expect(await check("OS::Nova::Server", server, same)).toMatchObject({ state: "finished" });
  });

  const volume = (size: number, type: string) => {
    const one = { VolumeId: "id-1", State: "available", Size: size, VolumeType: type, Tags: TAGS };
    return { DescribeVolumesCommand: { Volumes: [one] } };
  };

  it("tells another type of a volume, and takes a larger one as it is", async () => {
    const properties = { size: 1, volume_type: "gp3" };
    expect(await check("OS::Cinder::Volume", properties, volume(1, "io2"))).toEqual(
      differs("its type is io2 instead of gp3"),
    );
    const larger = volume(5, "gp3");
    expect(await check("OS::Cinder::Volume", properties, larger)).toMatchObject({
      state: "finished",
    });
    const asked: string[] = [];
    const given = { action: "UPDATE", properties } as const;
    const tagged = { ...larger, CreateTagsCommand: {}, DeleteTagsCommand: {} };
    const answer = await ask("OS::Cinder::Volume", given, tagged, asked);
    expect(answer).toMatchObject({ state: "finished" });
    expect(asked).not.toContain("ModifyVolumeCommand");
  });

  it("tells other security groups of a port", async () => {
    const properties = { network: "net", security_groups: ["sg-1"] };
    const port = (group: string) => ({
      DescribeNetworkInterfacesCommand: {
        NetworkInterfaces: [
          { NetworkInterfaceId: "id-1", Groups: [{ GroupId: group }], TagSet: TAGS },
        ],
      },
      DescribeSecurityGroupsCommand: { SecurityGroups: [{ GroupId: "sg-1", Tags: TAGS }] },
      ...none,
    });
    expect(await check("OS::Neutron::Port", properties, port("sg-9"))).toEqual(
      differs("somebody has changed its security groups"),
    );
    expect(await check("OS::Neutron::Port", properties, port("sg-1"))).toMatchObject({
      state: "finished",
    });
  });
});

it.each([
  ["pending", { state: "waiting" }, false],
  ["stopping", { state: "waiting" }, false],
  ["stopped", { state: "waiting" }, true],
  ["terminated", { state: "failed", reason: "EC2: terminated" }, false],
])("a creation whose instance is %s starts it if it can", async (Name, answer, isStarted) => {
  const one = { InstanceId: "i-1", State: { Name }, Tags: TAGS };
  const answers = {
    DescribeInstancesCommand: { Reservations: [{ Instances: [one] }] },
    StartInstancesCommand: {},
  };
  const asked: string[] = [];
  const type = await typeAnswering("OS::Nova::Server", answers, { small: "t3.small" }, asked);
  const at = { ...callOf("drift"), physicalId: "id-1", handle: "i-1" };
  expect(await type.poll?.(at)).toMatchObject(answer);
  expect(asked.includes("StartInstancesCommand")).toBe(isStarted);
});
