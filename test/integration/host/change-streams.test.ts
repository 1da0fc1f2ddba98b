import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { STREAMS_MAX } from "#host/change-streams.ts";
import { createToken, revokeToken } from "#host/credentials.ts";
import { type Host, startHost } from "#host/host.ts";
import { at, send } from "./host-client.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
});

const start = async (options: Parameters<typeof startHost>[0]): Promise<Host> => {
  const host = await startHost(options);
  cleanups.push(() => host.stop());
  return host;
};

const follow = async (url: string, project: string, headers: Record<string, string> = {}) => {
  const stop = new AbortController();
  cleanups.push(() => stop.abort());
  const response = await fetch(`${url}/v1/${project}/_changes`, { headers, signal: stop.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = async (): Promise<string | null> => (await reader?.read())?.value ?? null;
  const until = async (part: string): Promise<string> => {
    let text = "";
    while (!text.includes(part)) {
      const piece = await next();
      if (piece === null) throw new Error(`the stream ended after ${text}`);
      text += piece;
    }
    return text;
  };
  return { response, next, until, stop };
};

const TEMPLATE = {
  heat_template_version: "2018-08-31",
  resources: { none: { type: "OS::Heat::None" } },
};
const create = async (url: string, project: string): Promise<string> => {
  const body = { stack_name: "app", template: TEMPLATE };
  return String(at((await send(url, "POST", `/v1/${project}/stacks`, body)).body, "stack", "id"));
};

describe("the stream of changes", () => {
  it("names the stacks of its project that have changed, and no others", async () => {
    const { url } = await start({ port: 0, data: null });
    const [own, foreign] = [await follow(url, "own"), await follow(url, "foreign")];
    expect(own.response.headers.get("content-type")).toBe("text/event-stream");
    await foreign.until("event: open");
    const id = await create(url, "own");
    const text = await own.until(id);
    expect(text).toContain(`event: change\ndata: {"stacks":["${id}"]}\n\n`);
    const other = await create(url, "foreign");
    expect(await foreign.until(other)).not.toContain(id);
  });

  it("tells of each step in step mode", async () => {
    const { url } = await start({ port: 0, data: null, step: true });
    const { until } = await follow(url, "own");
    const id = await create(url, "own");
    await send(url, "POST", "/_dev/step", { count: 1 });
    await until(id);
  });

  it("wants a token of its project where the API does", async () => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-streams-"));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    const { token } = createToken(folder, "own", null);
    const { url } = await start({ port: 0, data: folder, auth: "tokens" });
    const headers = { "X-Auth-Token": token };
    expect((await follow(url, "own")).response.status).toBe(401);
    expect((await follow(url, "foreign", headers)).response.status).toBe(403);
    const { response, until } = await follow(url, "own", headers);
    expect(response.status).toBe(200);
    await until("event: open");
  });

  it("ends without a word where its token was revoked in the meantime", async () => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-streams-"));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    const [made, other] = [createToken(folder, "own", null), createToken(folder, "own", null)];
    const { url } = await start({ port: 0, data: folder, auth: "tokens" });
    const stream = await follow(url, "own", { "X-Auth-Token": made.token });
    const admitted = await follow(url, "own", { "X-Auth-Token": other.token });
    await stream.until("event: open");
    revokeToken(folder, made.id);
    const answer = await fetch(`${url}/v1/own/stacks`, {
      method: "POST",
      headers: { "X-Auth-Token": other.token },
      body: JSON.stringify({ stack_name: "app", template: TEMPLATE }),
    });
    expect(answer.status).toBe(201);
    await admitted.until("event: change");
    expect(await stream.next()).toBeNull();
  });

  it("ends at once when the host stops", async () => {
    const host = await startHost({ port: 0, data: null });
    const { until, next } = await follow(host.url, "own");
    await until("event: open");
    const [piece] = await Promise.all([next(), host.stop()]);
    expect(piece).toBeNull();
  });

  it("is given to a bounded number of readers", async () => {
    const { url } = await start({ port: 0, data: null });
    const all = await Promise.all(
      Array.from({ length: STREAMS_MAX + 1 }, () => follow(url, "own")),
    );
    const statuses = all.map(({ response }) => response.status).toSorted();
    expect(statuses).toEqual([...Array(STREAMS_MAX).fill(200), 503]);
  });

  it("is taken from the project that has most, for one that has fewer", async () => {
    const { url } = await start({ port: 0, data: null });
    const own = await Promise.all(Array.from({ length: STREAMS_MAX }, () => follow(url, "own")));
    const others = await Promise.all(
      Array.from({ length: STREAMS_MAX / 2 + 1 }, () => follow(url, "other")),
    );
    const statuses = others.map(({ response }) => response.status).toSorted();
    expect(statuses).toEqual([...Array(STREAMS_MAX / 2).fill(200), 503]);
    const [first, last] = [own[0], own.at(-1)];
    await first?.until("event: open");
    expect(await first?.next()).toBeNull();
    await create(url, "own");
    expect(await last?.until("event: change")).toContain("stacks");
  });
});
