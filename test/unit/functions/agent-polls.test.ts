import { gunzipSync } from "node:zlib";
import type { LambdaFunctionURLEvent } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { lambdaContext } from "#host/lambda-events.ts";
import { metadataUrl } from "#lib/software-config/agent-requests/urls.ts";
import { pollMemory } from "#lib/software-config/diagnosis/poll-memory.ts";
import { deployed, serverOf } from "#test/unit/software-config/deployed.ts";
import { handler } from "../../../functions/agent-polls/handler.ts";

const HOST = "abcdefghijklmnopqrstuvwxyz012345.lambda-url.eu-west-1.on.aws";
const SECONDS_MAX = 29_000;

const eventOf = (url: string, more: Partial<LambdaFunctionURLEvent> = {}, method = "GET") => {
  const { pathname, search } = new URL(url);
  const event: LambdaFunctionURLEvent = {
    version: "2.0",
    routeKey: "$default",
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers: { accept: "*/*", "user-agent": "python-requests/2.32" },
    isBase64Encoded: false,
    requestContext: {
      accountId: "anonymous",
      apiId: HOST.slice(0, 32),
      domainName: HOST,
      domainPrefix: HOST.slice(0, 32),
      http: { method, path: pathname, protocol: "HTTP/1.1", sourceIp: "192.0.2.7", userAgent: "x" },
      requestId: "request",
      routeKey: "$default",
      stage: "$default",
      time: "22/Nov/2026:11:00:00 +0000",
      timeEpoch: 0,
    },
    ...more,
  };
  return event;
};

const openSite = async (base = "https://{host}") => {
  const { at } = await deployed();
  const poll = handler(at.ports, pollMemory("worker"), base);
  const url = metadataUrl({ ...at.ports, pollUrl: `https://${HOST}` }, serverOf(at));
  const send = (...of: Parameters<typeof eventOf>) =>
    poll(eventOf(...of), lambdaContext("agent-polls", SECONDS_MAX));
  return { at, url, send };
};

describe("a poll at the function's URL", () => {
  it("gets the document, which leads the agent back there and is noted with its sender", async () => {
    const { at, url, send } = await openSite();
    const answer = await send(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain(`"metadata_url":"${url}&applied=`);
    expect(answer.body).toContain(`${at.ports.publicUrl}/v1/agent/signal/`);
    expect(at.softwareConfigs.serverSightings()).toMatchObject([
      { address: "192.0.2.7", agent: "python-requests/2.32", lastPollAt: at.clock.now() },
    ]);
    expect(answer.headers).toMatchObject({ "Cache-Control": "no-store" });
    const ETag = answer.headers?.["ETag"];
    const again = await send(url, { headers: { "if-none-match": String(ETag) } });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  it("gets it compressed if it accepts gzip", async () => {
    const { url, send } = await openSite();
    const plain = await send(url);
    const headers = { accept: "*/*", "accept-encoding": "gzip, deflate" };
    const answer = await send(url, { headers });
    expect(answer).toMatchObject({
      isBase64Encoded: true,
      headers: { "Content-Encoding": "gzip" },
    });
    expect(gunzipSync(Buffer.from(answer.body, "base64")).toString()).toBe(plain.body);
  });

  it("is refused without a right signature, by another method and at another path", async () => {
    const { at, url, send } = await openSite();
    const cases = [
      [url.replace(/sig=./, "sig=!"), "GET", 403],
      [url.replace(/gen=\d+/, "gen=9"), "GET", 403],
      [url.split("?")[0] ?? "", "GET", 403],
      [url, "DELETE", 405],
      [url.replace(serverOf(at).id, crypto.randomUUID()), "GET", 404],
      [url.replace("/metadata/", "/signal/"), "GET", 404],
      [`https://${HOST}/v1/demo/stacks`, "GET", 404],
      [`https://${HOST}/`, "GET", 404],
    ] as const;
    for (const [wrong, method, status] of cases) {
      const answer = await send(wrong, {}, method);
      expect([wrong, method, answer.statusCode]).toEqual([wrong, method, status]);
      expect(answer.body).not.toContain("metadata_url");
    }
    expect(at.softwareConfigs.serverSightings()).toEqual([]);
    const kinds = at.softwareConfigs.evidence().map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["bad_signature", "not_signed", "wrong_method"]));
  });

  it("answers a HEAD without a look, whatever its signature is", async () => {
    const { at, url, send } = await openSite();
    for (const any of [url, url.replace(/sig=./, "sig=!")]) {
      expect(await send(any, {}, "HEAD")).toMatchObject({ statusCode: 200, body: "" });
    }
    expect(at.softwareConfigs.evidence()).toEqual([]);
  });

  it("leads to a name that the deployment gives, or to the id in a path", async () => {
    const named = await openSite("https://agents.test");
    expect((await named.send(named.url)).body).toContain('"https://agents.test/v1/agent/metadata/');
    const path = await openSite("http://127.0.0.1:4599/_aws/lambda-url/{id}");
    const there = `"http://127.0.0.1:4599/_aws/lambda-url/${HOST.slice(0, 32)}/v1/agent/metadata/`;
    expect((await path.send(path.url)).body).toContain(there);
  });
});
