/** Which device each disk of a server is, and how many there may be. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "#provider/provider.ts";
import { callIn } from "#providers/ec2/account.ts";
import { openEc2 } from "#providers/ec2/open-ec2.ts";
import { newDisksOf, refuseDisks } from "#providers/ec2/types/server-disks.ts";
import { ROLE } from "../../cloud-control/provider-at.ts";
import { callOf } from "../../contract/provider-call.ts";

const given = (...disks: readonly JsonObject[]): JsonObject => ({ block_device_mapping_v2: disks });

const disk = (device_name = ""): JsonObject => ({
  snapshot_id: "snap-1",
  boot_index: -1,
  device_name,
});

const devicesOf = async (properties: JsonObject) => {
  const account = await openEc2("demo", ROLE, { images: {}, flavors: {} });
  const made = await newDisksOf(callIn(account, callOf("disks", { properties })), "ami-1");
  return made.map(({ DeviceName }) => DeviceName);
};

const many = (count: number) => Array.from({ length: count }, () => disk());

describe("a disk without a device", () => {
  it("gets a letter that no other disk names, now or later", async () => {
    const volume = { volume_id: "vol-1", boot_index: -1, device_name: "vdg" };
    expect(await devicesOf(given(disk(), disk("/dev/vdf"), volume, disk()))).toEqual([
      "/dev/sdh",
      "/dev/sdf",
      "/dev/sdi",
    ]);
  });

  it("is refused if there are more of them than letters", async () => {
    expect(refuseDisks(given(...many(11)))).toBeNull();
    expect(await devicesOf(given(...many(11)))).not.toContain("/dev/sdundefined");
    const property = "block_device_mapping_v2[11].device_name";
    expect(refuseDisks(given(...many(12)))?.property).toBe(property);
    await expect(devicesOf(given(...many(12)))).rejects.toThrow("free device");
    const named = "block_device_mapping_v2[10].device_name";
    expect(refuseDisks(given(...many(11), disk("vdf")))?.property).toBe(named);
    expect(refuseDisks(given(...many(11), disk("vdb")))).toBeNull();
  });
});

it("two disks of one device are refused, in whichever list they are", () => {
  const old = { block_device_mapping: [{ device_name: "vdc", volume_id: "vol-1" }] };
  expect(refuseDisks({ ...old, ...given(disk("/dev/sdc")) })).toEqual({
    property: "block_device_mapping_v2[0].device_name",
    why: "another disk is /dev/sdc",
  });
});
