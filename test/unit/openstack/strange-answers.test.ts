/** Answers that a proxy gives in OpenStack's place, or that are cut off. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { readAnswer, readMade, TryAgain } from "#providers/openstack/cloud.ts";
import { callOf } from "../../contract/provider-call.ts";
import { make } from "../../contract/spoilt-operations.ts";
import { all } from "../../openstack/double/state.ts";
import { type DoubleStage, startDoubleStage } from "../../openstack/double-stage.ts";
import { typeAt } from "../../openstack/provider-play.ts";

let stage: DoubleStage;
beforeEach(async () => {
  stage = await startDoubleStage();
});
afterEach(async () => {
  await stage.double.stop();
});

/** OpenStack makes the first object, but a proxy's page replaces the answer. */
const withPage = (): typeof fetch => {
  let pages = 0;
  return async (url, options) => {
    const answer = await fetch(url, options);
    if (options?.method !== "POST" || String(url).endsWith("/auth/tokens") || pages > 0) {
      return answer;
    }
    pages += 1;
    await answer.arrayBuffer();
    return new Response("<html>welcome</html>", { status: 200 });
  };
};

describe("a creation whose answer cannot be read", () => {
  it.each([
    ["OS::Nova::Server", "servers", { image: "cirros", flavor: "m1.tiny" }],
    ["OS::Neutron::Net", "networks", { name: "inside" }],
    ["OS::Cinder::Volume", "volumes", { size: 1 }],
  ])("has its object found: %s", async (name, collection, properties) => {
    const before = all(stage.double.state, collection).size;
    const type = typeAt(stage, name, withPage());
    const answer = await make(type, callOf("page", { properties }));
    expect(answer).toMatchObject({ state: "finished" });
    expect(all(stage.double.state, collection).size).toBe(before + 1);
  });
});

describe("an answer of another form", () => {
  const page = { status: 200, body: { id: 1 } };
  const schema = z.object({ id: z.string() });
  const WHY = "does not have the form of OpenStack's API";

  it("is refused with what is wrong in it", () => {
    expect(() => readAnswer(schema, page)).toThrow(`the answer ${WHY}: id: `);
  });

  it("leaves open what a creation has made", () => {
    expect(() => readMade(schema, page)).toThrow(TryAgain);
    expect(() => readMade(schema, page)).toThrow(`the answer to a creation ${WHY}`);
  });
});

describe("a redirect", () => {
  const redirecting: typeof fetch = (url, options) =>
    options?.method === "DELETE" || options?.method === "PUT"
      ? Promise.resolve(new Response("", { status: 302, headers: { location: "/login" } }))
      : fetch(url, options);

  it("deletes no key pair", async () => {
    const call = callOf("key", { properties: { name: "web-key" } });
    await make(typeAt(stage, "OS::Nova::KeyPair"), call);
    const type = typeAt(stage, "OS::Nova::KeyPair", redirecting);
    const answer = await type.delete({ ...call, action: "DELETE", physicalId: "web-key" });
    expect(answer).toEqual({ state: "failed", reason: "OpenStack: status 302" });
  });
});
