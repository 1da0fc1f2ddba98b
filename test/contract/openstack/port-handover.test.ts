import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Answer, Call, JsonObject, ProvidedType } from "#provider/provider.ts";
import { all, type Thing } from "../../openstack/double/state.ts";
import { type DoubleStage, startDoubleStage } from "../../openstack/double-stage.ts";
import {
  leftOver,
  type PlayCase,
  typeAt,
  withFixture,
  withOne,
} from "../../openstack/provider-play.ts";
import { callOf } from "../provider-call.ts";
import { make, unmake } from "../spoilt-operations.ts";

const SERVER = "OS::Nova::Server";
const MS_MAX = 60_000;

let stage: DoubleStage;
let type: ProvidedType;
beforeEach(async () => {
  stage = await startDoubleStage();
  type = typeAt(stage, SERVER);
});
afterEach(() => stage.double.stop());

const withPort = (use: (port: string) => Promise<void>): Promise<void> =>
  withFixture(stage, ({ network }) => {
    const port: PlayCase = { type: "OS::Neutron::Port", properties: { network } };
    return withOne(stage, port, use);
  });

interface Version {
  readonly call: Call;
  readonly answer: Answer;
  readonly id: string;
}

const create = async (token: string, port: string, more: JsonObject = {}): Promise<Version> => {
  const networks = [{ port }];
  const properties = { image: "cirros", flavor: "m1.tiny", networks, ...more };
  const call = callOf(`${token}/${Date.now()}`, { properties });
  const answer = await make(type, call, stage.patience);
  const id = "physicalId" in answer ? (answer.physicalId ?? "") : "";
  return { call, answer, id };
};

const remove = ({ call, id }: Version): Promise<Answer> => unmake(type, call, id, stage.patience);

const novaServer = ({ id }: Version): Thing | undefined =>
  [...all(stage.double.state, "servers").values()].find(({ members }) =>
    JSON.stringify(members["metadata"]).includes(id),
  );

const holderOf = (port: string): unknown =>
  all(stage.double.state, "ports").get(port)?.members["device_id"];

const handoverTags = (version: Version): readonly string[] =>
  JSON.stringify(novaServer(version)?.members["tags"] ?? []).match(/hearth-(port|to)-/g) ?? [];

describe("a server that takes the place of another one at its port", { timeout: MS_MAX }, () => {
  it("gets the port before the old one is gone, which then goes", async () => {
    await withPort(async (port) => {
      const old = await create("old", port);
      const next = await create("new", port);
      expect(next.answer.state).toBe("finished");
      expect(holderOf(port)).toBe(novaServer(next)?.id);
      expect(novaServer(old)).toBeDefined();
      expect(await remove(old)).toEqual({ state: "finished" });
      expect(holderOf(port)).toBe(novaServer(next)?.id);
      expect(await remove(next)).toEqual({ state: "finished" });
    });
    expect(await leftOver(stage)).toEqual([]);
  });

  it("gives the port back to the old one if it goes itself, as in a rollback", async () => {
    await withPort(async (port) => {
      const old = await create("old", port);
      const next = await create("new", port);
      expect(await remove(next)).toEqual({ state: "finished" });
      expect(holderOf(port)).toBe(novaServer(old)?.id);
      expect(handoverTags(old)).toEqual([]);
      expect(await remove(old)).toEqual({ state: "finished" });
    });
    expect(await leftOver(stage)).toEqual([]);
  });

  it("gives it back too if Nova could not make it", async () => {
    await withPort(async (port) => {
      const old = await create("old", port);
      const broken = await create("new", port, { image: "broken" });
      expect(broken.answer.state).toBe("failed");
      expect(await remove(broken)).toEqual({ state: "finished" });
      expect(holderOf(port)).toBe(novaServer(old)?.id);
      await remove(old);
    });
    expect(await leftOver(stage)).toEqual([]);
  });

  it("takes it from a version that has failed, and the last good one gets it back", async () => {
    await withPort(async (port) => {
      const old = await create("old", port);
      const broken = await create("broken", port, { image: "broken" });
      const third = await create("third", port);
      expect(third.answer.state).toBe("finished");
      expect(holderOf(port)).toBe(novaServer(third)?.id);
      expect(await remove(broken)).toEqual({ state: "finished" });
      expect(holderOf(port)).toBe(novaServer(third)?.id);
      expect(await remove(third)).toEqual({ state: "finished" });
      expect(holderOf(port)).toBe(novaServer(old)?.id);
      await remove(old);
    });
    expect(await leftOver(stage)).toEqual([]);
  });

  it("keeps what it knows of the port through an update of the old one", async () => {
    await withPort(async (port) => {
      const old = await create("old", port);
      const next = await create("new", port);
      const properties = { ...old.call.properties, tags: ["blue"] };
      const call = {
        ...old.call,
        action: "UPDATE" as const,
        token: `${old.call.token}/update`,
        physicalId: old.id,
        previousProperties: old.call.properties,
        properties,
      };
      expect(await type.update?.(call)).toMatchObject({ state: "finished" });
      expect(await remove(next)).toEqual({ state: "finished" });
      expect(holderOf(port)).toBe(novaServer(old)?.id);
      await remove(old);
    });
  });
});

describe("a server at the port of another resource", () => {
  it("waits, and takes nothing", async () => {
    await withPort(async (port) => {
      const other = await create("other", port);
      const properties = { image: "cirros", flavor: "m1.tiny", networks: [{ port }] };
      const call = callOf("second", { properties, resourceName: "another" });
      expect(await type.create(call)).toMatchObject({ state: "throttled" });
      expect(holderOf(port)).toBe(novaServer(other)?.id);
      expect(handoverTags(other)).toEqual([]);
      await remove(other);
    });
  });

  it("takes nothing from a later version of its own resource", async () => {
    await withPort(async (port) => {
      const later = await create("later", port);
      const server = novaServer(later);
      if (server !== undefined) server.members["created"] = "2999-01-01T00:00:00Z";
      const call = callOf("late", { properties: later.call.properties });
      expect(await type.create(call)).toMatchObject({ state: "throttled" });
      expect(holderOf(port)).toBe(server?.id);
      await remove(later);
    });
  });
});
