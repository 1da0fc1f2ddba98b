import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSession } from "#providers/openstack/account/session.ts";
import { Refused, TryAgain } from "#providers/openstack/cloud.ts";
import { callOf } from "../../contract/provider-call.ts";
import { type DoubleStage, startDoubleStage } from "../../openstack/double-stage.ts";
import { typeAt } from "../../openstack/provider-play.ts";

const LIST = { service: "network", method: "GET", path: "/networks" } as const;

describe("a session", () => {
  let stage: DoubleStage;
  beforeEach(async () => {
    stage = await startDoubleStage();
  });
  afterEach(async () => {
    await stage.double.stop();
  });
  const signal = new AbortController().signal;

  it("has one token for many calls at once", async () => {
    const cloud = openSession(stage.credential);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => cloud.ask({ ...LIST, signal })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(stage.double.state.tokens.size).toBe(1);
  });

  it("gets another token when a service does not know the first one any more", async () => {
    const cloud = openSession(stage.credential);
    await cloud.ask({ ...LIST, signal });
    stage.double.state.tokens.clear();
    expect((await cloud.ask({ ...LIST, signal })).status).toBe(200);
    expect(stage.double.statuses.get(401)).toBe(1);
  });

  it("gets another token before the end of the first one", async () => {
    let ends = 0;
    const send: typeof fetch = async (url, options) => {
      const answer = await fetch(url, options);
      if (!String(url).endsWith("/auth/tokens")) return answer;
      ends += 1;
      const text = (await answer.text()).replace(
        /"expires_at":"[^"]+"/,
        `"expires_at":"${new Date(Date.now() + 1_000).toISOString()}"`,
      );
      return new Response(text, { status: answer.status, headers: answer.headers });
    };
    const cloud = openSession(stage.credential, send);
    await cloud.ask({ ...LIST, signal });
    await cloud.ask({ ...LIST, signal });
    expect(ends).toBeGreaterThan(1);
  });

  it("says in Keystone's words that the credential is not good", async () => {
    const cloud = openSession({ ...stage.credential, secret: "wrong" });
    const asked = cloud.ask({ ...LIST, signal });
    await expect(asked).rejects.toThrow(Refused);
    await expect(asked).rejects.toThrow("requires authentication");
  });

  it("knows no region but the one of the file", async () => {
    const cloud = openSession({ ...stage.credential, region: "RegionTwo" });
    await expect(cloud.ask({ ...LIST, signal })).rejects.toThrow("in RegionTwo");
  });

  it.each([500, 503, 429])("asks again later after %i", async (status) => {
    const send: typeof fetch = (url, options) =>
      String(url).endsWith("/auth/tokens")
        ? fetch(url, options)
        : Promise.resolve(new Response("{}", { status }));
    const cloud = openSession(stage.credential, send);
    await expect(cloud.ask({ ...LIST, signal })).rejects.toThrow(TryAgain);
  });

  it("sends no token to an endpoint of plain HTTP on another machine", async () => {
    const asked: string[] = [];
    const send: typeof fetch = async (url, options) => {
      asked.push(String(url));
      const answer = await fetch(url, options);
      const text = (await answer.text()).replaceAll("http://127.0.0.1", "http://cloud.example");
      return new Response(text, { status: answer.status, headers: answer.headers });
    };
    const cloud = openSession(stage.credential, send);
    await expect(cloud.ask({ ...LIST, signal })).rejects.toThrow("plain HTTP");
    expect(asked).toHaveLength(1);
  });

  it.each([
    ["OS::Nova::Server", "servers", { image: "cirros", flavor: "m1.tiny" }, "Quota exceeded"],
    ["OS::Neutron::Net", "networks", {}, "Quota exceeded"],
    ["OS::Cinder::Volume", "volumes", { size: 1 }, "Maximum number of volumes"],
  ])(
    "a full quota fails %s with the service's words",
    async (type, collection, properties, text) => {
      stage.double.state.quotas.set(collection, 0);
      const answer = await typeAt(stage, type).create(callOf("full", { properties }));
      expect(answer).toMatchObject({ state: "failed" });
      expect(JSON.stringify(answer)).toContain(text);
    },
  );
});
