/** Names of users that an object of JavaScript has by itself. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { JsonObject } from "#provider/provider.ts";
import { callOf } from "../../contract/provider-call.ts";
import { make } from "../../contract/spoilt-operations.ts";
import { type DoubleStage, startDoubleStage } from "../../openstack/double-stage.ts";
import { typeAt } from "../../openstack/provider-play.ts";

let stage: DoubleStage;
const bodies: string[] = [];
beforeEach(async () => {
  stage = await startDoubleStage();
  bodies.length = 0;
});
afterEach(() => stage.double.stop());

const ODD = "__proto__";

const listening: typeof fetch = (url, options) => {
  if (typeof options?.body === "string") bodies.push(options.body);
  return fetch(url, options);
};

const made = (type: string, token: string, properties: JsonObject) =>
  make(typeAt(stage, type, listening), callOf(token, { properties }));

it("are extensions of Neutron", async () => {
  await made("OS::Neutron::Net", "net", { value_specs: { [ODD]: "given" } });
  expect(bodies.join("\n")).toContain('"__proto__":"given"');
});

it("are networks of a server, and its metadata", async () => {
  await made("OS::Neutron::Net", "net", { name: ODD });
  await made("OS::Neutron::Subnet", "sub", { network: ODD, cidr: "10.1.0.0/24" });
  const properties = {
    image: "cirros",
    flavor: "m1.tiny",
    networks: [{ network: ODD }],
    metadata: { [ODD]: "given" },
  };
  const answer = await made("OS::Nova::Server", "server", properties);
  const { networks, addresses } = "attributes" in answer ? (answer.attributes ?? {}) : {};
  expect(Object.keys(networks ?? {})).toContain(ODD);
  expect(Object.keys(addresses ?? {})).toContain(ODD);
  const physicalId = "physicalId" in answer ? (answer.physicalId ?? "") : "";
  const call = callOf("check", { action: "CHECK", properties, previousProperties: properties });
  const type = typeAt(stage, "OS::Nova::Server");
  expect(await type.check?.({ ...call, physicalId })).toMatchObject({ state: "finished" });
});
