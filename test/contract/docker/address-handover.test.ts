import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Call, JsonObject } from "#provider/provider.ts";
import { backEndOf } from "#providers/docker/back-end.ts";
import { type Engine, openEngine } from "#providers/docker/engine/client.ts";
import { serverName } from "#providers/docker/types/plan-server.ts";
import { server } from "#providers/docker/types/server.ts";
import { idOf } from "#providers/object-names.ts";
import { startCuttingProxy } from "../../docker/cutting-proxy.ts";
import { type EngineDouble, startEngineDouble } from "../../docker/engine-double.ts";
import {
  addressOf,
  createVersion,
  handoversAt,
  playHandover,
  playHandoverFaults,
  removeVersion,
  type Version,
  withPort,
} from "../../docker/handover-play.ts";
import { BARE_IMAGE, IMAGE } from "../../docker/provider-play.ts";
import { freshFolder, removeFolder } from "../folders.ts";
import { callOf } from "../provider-call.ts";
import { unmake } from "../spoilt-operations.ts";

const CIDR = "10.87.0.0/24";
const ADDRESS = "10.87.0.254";
const MS_MAX = 300_000;

let folder: string;
let engine: EngineDouble;

const start = async (kind: "docker" | "podman"): Promise<void> => {
  folder = freshFolder();
  engine = await startEngineDouble(join(folder, "engine.sock"), kind);
  engine.state.images.set(IMAGE, ["/bin/sh", "/usr/local/bin/node"]);
  engine.state.images.set(BARE_IMAGE, ["/bin/sh"]);
};
afterEach(async () => {
  await engine.stop();
  removeFolder(folder);
});

const create = (token: string, properties: JsonObject, more: Partial<Call> = {}) =>
  createVersion(engine.socketPath, token, properties, more);
const remove = (version: Version) => removeVersion(engine.socketPath, version);
const at = (version: Version) => addressOf(engine.socketPath, version);
const containerOf = ({ id }: Version) => engine.state.containers.get(serverName(id));

const atPort = (play: (networks: readonly JsonObject[]) => Promise<void>): Promise<unknown> =>
  withPort(engine.socketPath, CIDR, async (networks) => {
    await play(networks);
    return [];
  });

const nothingIsLeft = async (): Promise<void> => {
  expect(await handoversAt(engine.socketPath)).toEqual([]);
  expect([engine.state.containers.size, engine.state.volumes.size]).toEqual([0, 0]);
};

describe.each(["docker", "podman"] as const)("servers at one address, as %s", (kind) => {
  beforeEach(() => start(kind));

  it("hand it over, and get it back in a rollback", async () => {
    const results = await playHandover(engine.socketPath, CIDR);
    expect(results).toEqual([{ name: expect.any(String), wrong: [] }]);
    await nothingIsLeft();
  });

  it("do so whichever request is spoilt", { timeout: MS_MAX }, async () => {
    const proxy = await startCuttingProxy(engine.socketPath, join(folder, "proxy.sock"));
    const results = await playHandoverFaults(engine.socketPath, proxy, CIDR);
    await proxy.stop();
    expect(results.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(results).toHaveLength(8);
    await nothingIsLeft();
  });

  it("need no port for it", async () => {
    await atPort(async ([port = {}]) => {
      const networks = [port, { network: "bridge", fixed_ip: "172.17.0.9" }];
      const old = await create("old", { networks });
      const next = await create("next", { networks });
      expect([...(containerOf(next)?.addresses.values() ?? [])]).toEqual([ADDRESS, "172.17.0.9"]);
      expect(containerOf(old)?.addresses.size).toBe(0);
      await remove(next);
      expect([...(containerOf(old)?.addresses.values() ?? [])].toSorted()).toEqual([
        ADDRESS,
        "172.17.0.9",
      ]);
      await remove(old);
    });
    await nothingIsLeft();
  });
});

describe("a server that takes the address of another one", () => {
  beforeEach(() => start("docker"));

  it("gives it back too if it could not be made", async () => {
    await atPort(async ([port = {}]) => {
      const second = { network: "bridge", fixed_ip: "172.17.0.9" };
      const other = await create("other", { networks: [second] }, { resourceName: "another" });
      const old = await create("old", { networks: [port] });
      const broken = await create("next", { networks: [port, second] });
      expect(broken.answer).toMatchObject({ state: "failed", physicalId: broken.id });
      expect(await at(old)).toBe("");
      expect(await remove(broken)).toBe("finished");
      expect(await at(old)).toBe(ADDRESS);
      await remove(old);
      await remove(other);
    });
    await nothingIsLeft();
  });

  it("leaves it to the last good one after a version that has failed", async () => {
    await atPort(async (networks) => {
      const old = await create("old", { networks });
      const broken = await create("broken", { networks });
      const container = containerOf(broken);
      if (container !== undefined) container.status = "exited";
      const third = await create("third", { networks });
      expect(third.answer.state).toBe("finished");
      expect(await remove(broken)).toBe("finished");
      expect([await at(old), await at(third)]).toEqual(["", ADDRESS]);
      expect(await remove(third)).toBe("finished");
      expect(await at(old)).toBe(ADDRESS);
      await remove(old);
    });
    await nothingIsLeft();
  });

  it("gives it to the version that it took it from, if that is still there", async () => {
    await atPort(async (networks) => {
      const [old, next, third] = [
        await create("old", { networks }),
        await create("next", { networks }),
        await create("third", { networks }),
      ];
      expect([await at(old), await at(next), await at(third)]).toEqual(["", "", ADDRESS]);
      await remove(third);
      expect([await at(old), await at(next)]).toEqual(["", ADDRESS]);
      await remove(next);
      expect(await at(old)).toBe(ADDRESS);
      await remove(old);
    });
    await nothingIsLeft();
  });

  it("names what it has made if the engine keeps the address", async () => {
    await atPort(async (networks) => {
      const old = await create("old", { networks });
      const real = openEngine({ socketPath: engine.socketPath });
      const keeping: Engine = {
        ask: async (call) =>
          call.path.endsWith("/disconnect") ? { status: 500, text: "no" } : real.ask(call),
      };
      const type = server(
        backEndOf(keeping, { agentProgram: async () => "", defaultNetwork: null }),
      );
      const properties = { image: IMAGE, flavor: "1c-64m", networks };
      const call = callOf("kept", { properties });
      const id = idOf("kept");
      expect(await type.create(call)).toMatchObject({ state: "failed", physicalId: id });
      expect(await unmake(type, call, id)).toEqual({ state: "finished" });
      expect(await at(old)).toBe(ADDRESS);
      await remove(old);
    });
    await nothingIsLeft();
  });

  it("ends where the network has gone", async () => {
    await atPort(async (networks) => {
      const old = await create("old", { networks });
      const next = await create("next", { networks });
      for (const { id, labels } of [...engine.state.networks.values()]) {
        if (labels["hearth.net"] !== undefined) engine.state.networks.delete(id);
      }
      expect(await remove(next)).toBe("finished");
      await remove(old);
    });
    await nothingIsLeft();
  });
});

describe("a server at the address of another resource", () => {
  beforeEach(() => start("docker"));

  it.each<[string, Partial<Call>]>([
    ["another resource", { resourceName: "another" }],
    ["another stack", { stackId: "stack-2" }],
  ])("fails, and takes nothing of %s", async (_, more) => {
    await atPort(async (networks) => {
      const other = await create("other", { networks });
      const second = await create("second", { networks }, more);
      expect(second.answer).toMatchObject({ reason: "Docker: Address already in use" });
      expect(await at(other)).toBe(ADDRESS);
      await remove(second);
      await remove(other);
    });
    await nothingIsLeft();
  });

  it("takes nothing from a later version of its own resource", async () => {
    await atPort(async (networks) => {
      const later = await create("later", { networks });
      const container = containerOf(later);
      if (container !== undefined) container.created = "2999-01-01T00:00:00Z";
      const late = await create("late", { networks });
      expect(late.answer).toMatchObject({ state: "failed" });
      expect(await at(later)).toBe(ADDRESS);
      await remove(late);
      await remove(later);
    });
    await nothingIsLeft();
  });
});
