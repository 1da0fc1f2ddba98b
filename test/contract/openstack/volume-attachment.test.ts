/**
 * An update moves a volume from one server, or one device, to another, on the double. Each request
 * is spoilt once here, and in each of four ways by `npm run lane -- openstack`.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Answer, JsonObject, ProvidedType } from "#provider/provider.ts";
import { all } from "../../openstack/double/state.ts";
import { type DoubleStage, startDoubleStage } from "../../openstack/double-stage.ts";
import {
  ATTACHMENT_CASE,
  DEVICE_CASE,
  leftOver,
  playKit,
  playSpoilt,
  typeAt,
  withAttachable,
} from "../../openstack/provider-play.ts";
import { callOf } from "../provider-call.ts";
import { change, make, unmake } from "../spoilt-operations.ts";

const NAME = "OS::Cinder::VolumeAttachment";
const MS_MAX = 120_000;

let stage: DoubleStage;
let type: ProvidedType;
beforeEach(async () => {
  stage = await startDoubleStage();
  type = typeAt(stage, NAME);
});
afterEach(() => stage.double.stop());

const volumeNow = (id: string): JsonObject => {
  const { status = null, attachments = null } =
    all(stage.double.state, "volumes").get(id)?.members ?? {};
  return { status, attachments };
};

const idIn = (answer: Answer): string =>
  answer.state === "finished" ? (answer.physicalId ?? "") : answer.state;

const novaIds = (): readonly string[] => [...all(stage.double.state, "servers").keys()];

const updated = async (
  before: JsonObject,
  after: JsonObject,
): Promise<{ readonly id: string; readonly volumes: Readonly<Record<string, JsonObject>> }> => {
  const call = callOf(`attached/${Date.now()}`, { properties: before });
  const made = idIn(await make(type, call, stage.patience));
  const id = idIn(
    await change(type, call, { physicalId: made, properties: after }, stage.patience),
  );
  const ids = [...all(stage.double.state, "volumes").keys()];
  const volumes = Object.fromEntries(ids.map((one) => [one, volumeNow(one)]));
  const gone = await unmake(type, { ...call, properties: after }, id, stage.patience);
  expect(gone).toEqual({ state: "finished" });
  return { id, volumes };
};

const FREE = { status: "available", attachments: [] };

describe("the update of a volume's attachment", { timeout: MS_MAX }, () => {
  it("moves the volume to another server", async () => {
    await withAttachable(stage, async ([one, other], [volume]) => {
      const [, second] = novaIds();
      const { id, volumes } = await updated(
        { instance_uuid: one, volume_id: volume },
        { instance_uuid: other, volume_id: volume },
      );
      expect(id).toBe(`${second}:${volume}`);
      const attachments = [{ server_id: second, device: "" }];
      expect(volumes[volume]).toEqual({ status: "in-use", attachments });
      expect(volumeNow(volume)).toEqual(FREE);
    });
    expect(await leftOver(stage)).toEqual([]);
  });

  it("gives the server another volume and frees the first", async () => {
    await withAttachable(stage, async ([server], [volume, other]) => {
      const [first] = novaIds();
      const { id, volumes } = await updated(
        { instance_uuid: server, volume_id: volume },
        { instance_uuid: server, volume_id: other },
      );
      expect(id).toBe(`${first}:${other}`);
      expect(volumes[volume]).toEqual(FREE);
      expect(volumes[other]).toMatchObject({ status: "in-use" });
    });
  });

  it("detaches the volume and attaches it at another device", async () => {
    await withAttachable(stage, async ([server], [volume]) => {
      const [first] = novaIds();
      const { id, volumes } = await updated(
        { instance_uuid: server, volume_id: volume, mountpoint: "/dev/vdb" },
        { instance_uuid: server, volume_id: volume, mountpoint: "/dev/vdc" },
      );
      expect(id).toBe(`${first}:${volume}`);
      const attachments = [{ server_id: first, device: "/dev/vdc" }];
      expect(volumes[volume]).toEqual({ status: "in-use", attachments });
    });
  });

  it("brings back what somebody has detached, and leaves what is there", async () => {
    await withAttachable(stage, async ([server], [volume]) => {
      const properties = { instance_uuid: server, volume_id: volume };
      const call = callOf("drifted", { properties });
      const physicalId = idIn(await make(type, call, stage.patience));
      const again = () => change(type, call, { physicalId, properties }, stage.patience);
      const made = stage.double.statuses.get(202);
      expect(await again()).toEqual({ state: "finished", physicalId });
      expect(stage.double.statuses.get(202)).toBe(made);
      const found = all(stage.double.state, "volumes").get(volume);
      Object.assign(found?.members ?? {}, FREE);
      expect(await again()).toEqual({ state: "finished", physicalId });
      expect(volumeNow(volume)).toMatchObject({ status: "in-use" });
      await unmake(type, call, physicalId, stage.patience);
    });
  });

  it("fails for a server that is not there, and detaches nothing", async () => {
    await withAttachable(stage, async ([server], [volume]) => {
      const call = callOf("lost", { properties: { instance_uuid: server, volume_id: volume } });
      const physicalId = idIn(await make(type, call, stage.patience));
      const properties = { instance_uuid: "nonesuch", volume_id: volume };
      expect(await change(type, call, { physicalId, properties }, stage.patience)).toEqual({
        state: "failed",
        reason: "The Server (nonesuch) could not be found.",
      });
      expect(volumeNow(volume)).toMatchObject({ status: "in-use" });
      await unmake(type, call, physicalId, stage.patience);
    });
  });
});

describe("a volume's attachment", { timeout: MS_MAX }, () => {
  it("keeps the contract of plug-ins", async () => {
    const results = await withAttachable(stage, (servers, volumes) =>
      playKit(stage, ATTACHMENT_CASE(servers, volumes)),
    );
    expect(results.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(results.length).toBeGreaterThan(9);
    expect(await leftOver(stage)).toEqual([]);
  });

  it("is one, and the right one, whichever request is spoilt", async () => {
    const results = await withAttachable(stage, async (servers, volumes) => [
      ...(await playSpoilt(stage, ATTACHMENT_CASE(servers, volumes), { inTurn: true })).results,
    ]);
    expect(results.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(results).toHaveLength(3);
    expect(await leftOver(stage)).toEqual([]);
  });

  it("comes to its device whichever request of the update is spoilt", async () => {
    const part = { steps: ["update"], inTurn: true } as const;
    const results = await withAttachable(
      stage,
      async ([server], [volume]) =>
        (await playSpoilt(stage, DEVICE_CASE(server, volume), part)).results,
    );
    expect(results.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(results).toHaveLength(1);
  });
});
