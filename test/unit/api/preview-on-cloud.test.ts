import { beforeEach, describe, expect, it } from "vitest";
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { Action, Call, ProvidedType } from "#provider/provider.ts";
import { replacesServer } from "#providers/ec2/types/server-refusals.ts";
import type { ServerProvider } from "#providers/server-provider.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const SERVER = "OS::Nova::Server";
const PORT = "OS::Neutron::Port";

let asked: (readonly [string, Action])[];
let world: World;

const typeOf = (replaces: (call: Call) => boolean): ProvidedType => ({
  description: "nothing",
  properties: {},
  tokens: "kept",
  create: async (call) => {
    asked.push([call.resourceName, call.action]);
    return { state: "finished", physicalId: call.resourceId };
  },
  update: async (call) => {
    asked.push([call.resourceName, call.action]);
    return replaces(call) ? { state: "replace" } : { state: "finished" };
  },
  delete: async () => ({ state: "finished" }),
});

const backEnd: ServerProvider = {
  provider: 2,
  name: "nothing",
  option: "--nothing",
  types: {
    [SERVER]: typeOf(({ previousProperties, properties }) =>
      replacesServer(previousProperties ?? {}, properties),
    ),
    [PORT]: typeOf(() => false),
  },
  refusals: {},
  replaces: { [SERVER]: replacesServer },
  notes: {},
  serverId: (token) => token,
};

const port = (name: string): JsonObject => ({
  type: PORT,
  properties: { network: "front", name },
});
const template = (networks: Json, ports: readonly string[]): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    ...Object.fromEntries(ports.map((name) => [name, port(name)])),
    web: { type: SERVER, properties: { image: "fedora", flavor: "small", networks } },
  },
});
const named = (name: string): Json => ({ port: { get_resource: name } });

beforeEach(() => {
  asked = [];
  const cloud = { backEnd, limit: callLimit(), now: Date.now };
  world = openWorld(undefined, { types: [], formerProvider: () => null, cloud });
});

const foreseenAndDone = async (networks: Json, ports: readonly string[]) => {
  const path = await createStack(world, "app", { template: template([named("one")], ["one"]) });
  await world.settle();
  asked = [];
  const body = { template: template(networks, ports) };
  const preview = await world.send("PUT", `${path}/preview`, body);
  expect(asked).toEqual([]);
  const foreseen = ["replaced", "updated"].flatMap((change) =>
    listAt(preview.body, "resource_changes", change)
      .filter((one) => textAt(one, "resource_name") === "web")
      .map((one) => [change, at(one, "change", "reason")]),
  );
  await world.send("PUT", path, body);
  await world.settle();
  const done = asked.filter(([name]) => name === "web").map(([, action]) => action);
  return { foreseen, done };
};

describe("the preview of a server whose networks change", () => {
  it("says that the server stays if its first interface does", async () => {
    expect(await foreseenAndDone([named("one"), { network: "back" }], ["one"])).toEqual({
      foreseen: [["updated", null]],
      done: ["UPDATE"],
    });
  });

  it("says that another first interface makes another server", async () => {
    expect(await foreseenAndDone([{ network: "back" }, named("one")], ["one"])).toEqual({
      foreseen: [["replaced", "networks cannot change in place"]],
      done: ["CREATE"],
    });
  });

  it("leaves it open where a port is yet to be made", async () => {
    expect(await foreseenAndDone([named("one"), named("two")], ["one", "two"])).toEqual({
      foreseen: [["updated", "its type decides whether it is replaced instead"]],
      done: ["UPDATE"],
    });
  });
});
