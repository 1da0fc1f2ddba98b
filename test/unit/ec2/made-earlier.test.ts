/** A creation is repeated because its answer was lost, and EC2 refuses the repetition. */
import { describe, expect, it } from "vitest";
import type { Answer } from "#provider/provider.ts";
import { callOf } from "../../contract/provider-call.ts";
import { type Answers, typeAnswering } from "./answering-account.ts";

const create = async (type: string, properties: object, answers: Answers): Promise<Answer> =>
  (await typeAnswering(type, answers)).create(callOf("again", { properties: { ...properties } }));

const VOLUME = { size: 1, availability_zone: "eu-central-1a" };
const SERVER = { image: "ami-1", flavor: "of-the-former-file" };

describe("what the first call has made", () => {
  it("is a volume that EC2 would not make any more", async () => {
    const seen = { VolumeId: "vol-1", State: "available", Tags: [] };
    const found = { DescribeVolumesCommand: { Volumes: [seen] } };
    expect(await create("OS::Cinder::Volume", VOLUME, found)).toMatchObject({
      state: "waiting",
      physicalId: "vol-1",
    });
  });

  it("is a server whose flavor the file does not name any more", async () => {
    const found = { Reservations: [{ Instances: [{ InstanceId: "i-1" }] }] };
    const answers = { DescribeInstancesCommand: found };
    expect(await create("OS::Nova::Server", SERVER, answers)).toMatchObject({
      state: "waiting",
      handle: "i-1",
    });
  });

  it("is nothing, and the refusal is told", async () => {
    const volumes = { DescribeVolumesCommand: { Volumes: [] } };
    expect(await create("OS::Cinder::Volume", VOLUME, volumes)).toEqual({
      state: "failed",
      reason: "AWS: UnsupportedOperation: CreateVolumeCommand",
    });
    const instances = { DescribeInstancesCommand: { Reservations: [] } };
    expect(await create("OS::Nova::Server", SERVER, instances)).toEqual({
      state: "failed",
      reason: expect.stringContaining("of-the-former-file is neither an instance type nor in"),
    });
  });
});

it("a key pair that cannot be looked at has its name for a delete", async () => {
  const made = await create("OS::Nova::KeyPair", { name: "web" }, { ImportKeyPairCommand: {} });
  expect(made).toEqual({
    state: "failed",
    reason: "AWS: UnsupportedOperation: DescribeKeyPairsCommand",
    physicalId: "web",
  });
});
