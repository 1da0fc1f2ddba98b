import type { Instance, Volume } from "@aws-sdk/client-ec2";
import { describe, expect, it } from "vitest";
import { callIn } from "#providers/ec2/account.ts";
import { openEc2 } from "#providers/ec2/open-ec2.ts";
import { attached, deviceOf } from "#providers/ec2/types/volume-attachment.ts";
import { ROLE } from "../../cloud-control/provider-at.ts";
import { callOf } from "../../contract/provider-call.ts";

const instanceWith = (...devices: readonly string[]): Instance => ({
  InstanceId: "i-1",
  BlockDeviceMappings: devices.map((DeviceName) => ({ DeviceName })),
});

const seen = (own: Volume) => ({ id: "vol-1", tags: [], own });

const attach = async (own: Volume, instance: Instance, mountpoint = "") => {
  const account = await openEc2("demo", ROLE, { images: {}, flavors: {} });
  return attached(callIn(account, callOf("t")), { instance, volume: seen(own), mountpoint });
};

describe("a mountpoint", () => {
  it.each([
    ["/dev/vdb", "/dev/sdb"],
    ["vdc", "/dev/sdc"],
    ["/dev/xvdf", "/dev/sdf"],
    ["/dev/sdz", "/dev/sdz"],
    ["/dev/vda", null],
    ["/dev/nvme1n1", null],
    ["/mnt", null],
    ["", null],
  ])("%j is %j", (mountpoint, device) => {
    expect(deviceOf(mountpoint)).toBe(device);
  });

  it("is refused if another disk has its letter", async () => {
    const used = instanceWith("/dev/xvda", "/dev/xvdb");
    await expect(attach({}, used, "/dev/vdb")).rejects.toThrow("another disk's");
  });

  it("is not chosen if all of AWS's are taken", async () => {
    const full = instanceWith(...[..."fghijklmnop"].map((letter) => `/dev/sd${letter}`));
    await expect(attach({}, full)).rejects.toThrow("no free device");
  });
});

describe("a volume", () => {
  const of = (InstanceId: string, State: "attached" | "attaching" | "detaching"): Volume => ({
    Attachments: [{ InstanceId, State }],
  });

  it("is done when it is attached to its server", async () => {
    expect(await attach(of("i-1", "attached"), instanceWith())).toBe(true);
    expect(await attach(of("i-1", "attaching"), instanceWith())).toBe(false);
  });

  it("is waited for while it leaves another server, and refused while that has it", async () => {
    expect(await attach(of("i-2", "detaching"), instanceWith())).toBe(false);
    await expect(attach(of("i-2", "attached"), instanceWith())).rejects.toThrow("disk of i-2");
  });
});
