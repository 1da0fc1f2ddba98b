import { afterEach, beforeEach, expect, it } from "vitest";
import type { Call } from "#provider/provider.ts";
import { callOf } from "../../contract/provider-call.ts";
import { make } from "../../contract/spoilt-operations.ts";
import { FAULTS } from "../../docker/cutting-proxy.ts";
import { all, put } from "../../openstack/double/state.ts";
import { type DoubleStage, startDoubleStage } from "../../openstack/double-stage.ts";
import { typeAt } from "../../openstack/provider-play.ts";
import { spoilingFetch } from "../../openstack/spoiling-fetch.ts";

const project = "demo";

let stage: DoubleStage;
let properties: { router: string; subnet: string };
beforeEach(async () => {
  stage = await startDoubleStage();
  const { state } = stage.double;
  const { id: network } = put(state, "networks", { project, members: { name: "inside" } });
  const router = put(state, "routers", { project, members: { name: "shared" } });
  const subnet = put(state, "subnets", {
    project,
    members: { network_id: network, cidr: "10.1.0.0/24", gateway_ip: "10.1.0.1" },
  });
  properties = { router: router.id, subnet: subnet.id };
});
afterEach(async () => {
  await stage.double.stop();
});

const type = (send?: typeof fetch) => typeAt(stage, "OS::Neutron::RouterInterface", send);
const ports = () => all(stage.double.state, "ports").size;
const ofStack = (stackId: string, token = stackId): Call => callOf(token, { stackId, properties });
const remove = (call: Call) =>
  type().delete({
    ...call,
    action: "DELETE",
    physicalId: `${properties.router}:subnet_id=${properties.subnet}`,
  });

const TAKEN = { state: "failed", reason: expect.stringContaining("already") };

it("belongs to the stack that made it", async () => {
  expect(await make(type(), ofStack("first"))).toMatchObject({ state: "finished" });
  expect(await make(type(), ofStack("second"))).toMatchObject(TAKEN);
  await remove(ofStack("second"));
  expect(ports()).toBe(1);
  await remove(ofStack("first"));
  expect(ports()).toBe(0);
});

it("belongs to the later version of its resource too", async () => {
  await make(type(), ofStack("first"));
  expect(await make(type(), ofStack("first", "later"))).toMatchObject({ state: "finished" });
  expect(ports()).toBe(1);
});

it("is the lost call's if its answer was lost before it had a mark", async () => {
  let cuts = 0;
  const cutting: typeof fetch = async (url, options) => {
    const answer = await fetch(url, options);
    if (!String(url).endsWith("add_router_interface") || cuts > 0) return answer;
    cuts += 1;
    throw new TypeError("cut");
  };
  expect(await make(type(cutting), ofStack("first"))).toMatchObject({ state: "finished" });
  expect(ports()).toBe(1);
  await remove(ofStack("first"));
  expect(ports()).toBe(0);
});

it("has its id for a delete if it cannot be looked at", async () => {
  const blind: typeof fetch = (url, options) =>
    options?.method === "GET"
      ? Promise.resolve(new Response("{}", { status: 403 }))
      : fetch(url, options);
  const answer = await make(type(blind), ofStack("first"));
  const physicalId = `${properties.router}:subnet_id=${properties.subnet}`;
  expect(answer).toEqual({ state: "failed", reason: "OpenStack: status 403", physicalId });
  expect(ports()).toBe(1);
});

it.each(FAULTS)("is made and removed once, whichever request is spoilt: %s", async (fault) => {
  let at = 0;
  for (let spoilt = true; spoilt; at += 1) {
    const spoiler = spoilingFetch(stage.holdMs);
    const call = ofStack("first", `spoilt/${fault}/${at}`);
    spoiler.spoil(at, fault);
    const made = await make(type(spoiler.send), call, stage.patience);
    await spoiler.settle();
    expect([at, made.state, ports()]).toEqual([at, "finished", 1]);
    spoilt = spoiler.seen.spoilt;
    await remove(call);
    expect(ports()).toBe(0);
  }
  expect(at).toBeGreaterThan(3);
});
