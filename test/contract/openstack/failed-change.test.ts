/** Changes in place that OpenStack refuses half-way: the next update keeps the object. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Answer, JsonObject } from "#provider/provider.ts";
import { all } from "../../openstack/double/state.ts";
import { type DoubleStage, startDoubleStage } from "../../openstack/double-stage.ts";
import { leftOver, typeAt } from "../../openstack/provider-play.ts";
import { callOf } from "../provider-call.ts";
import { change, make, unmake } from "../spoilt-operations.ts";

const MS_MAX = 120_000;

let stage: DoubleStage;
beforeEach(async () => {
  stage = await startDoubleStage();
});
afterEach(() => stage.double.stop());

interface Changes {
  readonly type: string;
  readonly before: JsonObject;
  readonly refused: JsonObject;
  readonly after: JsonObject;
  readonly meanwhile?: () => void;
}

const changed = async (
  { type: name, before, refused, after, meanwhile }: Changes,
  look: () => void = () => undefined,
): Promise<readonly Answer[]> => {
  const type = typeAt(stage, name);
  const call = callOf(`failed/${Date.now()}`, { properties: before });
  const made = await make(type, call, stage.patience);
  const physicalId = "physicalId" in made ? (made.physicalId ?? "") : "";
  const to = (properties: JsonObject, token: string, repairs = false) => {
    const given = { ...call, token, ...(repairs ? { repairs } : {}) };
    return change(type, given, { physicalId, properties }, stage.patience);
  };
  const first = await to(refused, "first");
  meanwhile?.();
  const second = await to(after, "second", true);
  look();
  await unmake(type, { ...call, properties: after }, physicalId, stage.patience);
  expect(await leftOver(stage)).toEqual([]);
  return [first, second];
};

const SERVER: JsonObject = { image: "cirros", flavor: "m1.tiny", metadata: {}, networks: [] };

const only = (collection: string): JsonObject => {
  const [thing] = all(stage.double.state, collection).values();
  return thing?.members ?? {};
};

const imageAndFlavor = (): JsonObject => {
  const { image_id: id, flavor_name: flavor = null } = only("servers");
  return { image: all(stage.double.state, "images").get(`${id}`)?.members["name"] ?? null, flavor };
};

describe("a server", { timeout: MS_MAX }, () => {
  const NO_FLAVOR = { ...SERVER, image: "ubuntu", flavor: "nonesuch" };

  it("that has its new image, but not its new flavor, goes back to both", async () => {
    const [first, second] = await changed(
      { type: "OS::Nova::Server", before: SERVER, refused: NO_FLAVOR, after: SERVER },
      () => {
        expect(imageAndFlavor()).toEqual({ image: "cirros", flavor: "m1.tiny" });
        expect(only("servers")["metadata"]).not.toHaveProperty("hearth_rebuild");
      },
    );
    expect(first).toMatchObject({ state: "failed" });
    expect(second).toMatchObject({ state: "finished" });
  });

  it("goes on to the flavor that it can have", async () => {
    const after = { ...NO_FLAVOR, flavor: "m1.small", metadata: { a: "b" } };
    const [, second] = await changed(
      { type: "OS::Nova::Server", before: SERVER, refused: NO_FLAVOR, after },
      () => expect(imageAndFlavor()).toEqual({ image: "ubuntu", flavor: "m1.small" }),
    );
    expect(second).toMatchObject({ state: "finished" });
  });

  it("is not rebuilt because its image's name means a newer image", async () => {
    const meanwhile = () => {
      for (const { members } of all(stage.double.state, "images").values()) {
        if (members["name"] === "cirros") members["name"] = "old";
        else if (members["name"] === "ubuntu") members["name"] = "cirros";
      }
    };
    const refused = { ...SERVER, flavor: "nonesuch" };
    const [first, second] = await changed(
      { type: "OS::Nova::Server", before: SERVER, refused, after: SERVER, meanwhile },
      () => expect(imageAndFlavor()).toEqual({ image: "old", flavor: "m1.tiny" }),
    );
    expect(first).toMatchObject({ state: "failed" });
    expect(second).toMatchObject({ state: "finished" });
  });

  it("is replaced if Nova has given it up, as in Heat", async () => {
    const meanwhile = () => Object.assign(only("servers"), { status: "ERROR" });
    const [, second] = await changed({
      type: "OS::Nova::Server",
      before: SERVER,
      refused: NO_FLAVOR,
      after: SERVER,
      meanwhile,
    });
    expect(second).toEqual({ state: "replace" });
  });
});

describe("a volume", { timeout: MS_MAX }, () => {
  const TYPE_CHANGED = { size: 2, volume_type: "other" };
  const volume = { type: "OS::Cinder::Volume", before: { size: 1 }, refused: TYPE_CHANGED };

  it("grows after a change that was refused", async () => {
    const [first, second] = await changed({ ...volume, after: { size: 2, name: "large" } }, () =>
      expect(only("volumes")).toMatchObject({ size: 2, name: "large" }),
    );
    expect(first).toMatchObject({ state: "failed" });
    expect(second).toMatchObject({ state: "finished" });
  });

  it.each([
    ["error", { state: "replace" }],
    ["error_extending", { state: "failed" }],
  ])("with the status %s", async (status, expected) => {
    const meanwhile = () => Object.assign(only("volumes"), { status });
    const [, second] = await changed({ ...volume, after: { size: 2 }, meanwhile });
    expect(second).toMatchObject(expected);
  });
});
