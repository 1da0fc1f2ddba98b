/** The commands over TLS with a private authority. Every certificate is verified. */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Host, startHost } from "#host/host.ts";
import { CA_FILE, keyPair, OTHER_CA_FILE, readPair } from "../../tls/certificates.ts";
import { hearth, hearthWith, startHearth } from "./hearth-process.ts";

let folder = "";
let host: Host;
const servers: Server[] = [];

const serveTls = async (pair: { readonly cert: string; readonly key: string }): Promise<string> => {
  const pass = async (incoming: IncomingMessage): Promise<Response> => {
    const body = await buffer(incoming);
    const { "content-type": type = "application/json" } = incoming.headers;
    return fetch(`${host.url}${incoming.url}`, {
      method: incoming.method ?? "GET",
      headers: { "Content-Type": type },
      redirect: "manual",
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    });
  };
  const server = createServer(readPair(pair), async (incoming, response) => {
    if (incoming.url?.startsWith(POLLED)) polled.resolve();
    const answer = await pass(incoming);
    const location = answer.headers.get("Location");
    response.writeHead(answer.status, location === null ? {} : { Location: location });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `https://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`;
};

const POLLED = "/v1/agent/metadata/";
const polled = Promise.withResolvers<void>();

let url = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-ca-"));
  host = await startHost({ port: 0, data: null });
  url = await serveTls(keyPair("first"));
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await host.stop();
  rmSync(folder, { recursive: true });
});

const list = (endpoint: string, ...more: readonly string[]) =>
  hearth(endpoint, "stack", "list", ...more);

const TEMPLATE = JSON.stringify({
  heat_template_version: "2018-08-31",
  resources: { one: { type: "OS::Heat::RandomString" } },
});

describe("--ca-file", () => {
  it("lets the commands reach a host whose certificate its authority has issued", async () => {
    const template = join(folder, "one.json");
    writeFileSync(template, TEMPLATE);
    const words = ["--ca-file", CA_FILE, "stack"];
    const created = await hearth(url, ...words, "create", "tls", "-t", template);
    expect([created.code, created.stderr]).toEqual([0, ""]);
    const listed = await list(url, "--json", "--ca-file", CA_FILE);
    expect(JSON.parse(listed.stdout)).toMatchObject({ stacks: [{ stack_name: "tls" }] });
    const deleted = await hearth(url, ...words, "delete", "tls", "--yes");
    expect([deleted.code, deleted.stderr]).toEqual([0, ""]);
  });

  it("is needed: without it the sentence says what to do", async () => {
    const { code, stdout, stderr } = await list(url);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^ERROR: Cannot reach Hearth at \S+: TLS: this machine does not trust the certificate of \S+ \(\w+\)\. Give the certificate of its authority with --ca-file or in HEARTH_CA_FILE, or use one of a public authority\.\n$/,
    );
  });

  it("does not help a certificate of another authority or for another name", async () => {
    const foreign = await list(url, "--ca-file", OTHER_CA_FILE);
    expect([foreign.code, foreign.stderr]).toEqual([1, expect.stringContaining("does not trust")]);
    const elsewhere = await serveTls(keyPair("elsewhere"));
    const misnamed = await list(elsewhere, "--ca-file", CA_FILE);
    expect([misnamed.code, misnamed.stderr]).toEqual([
      1,
      expect.stringContaining("TLS: the certificate is not for the name 127.0.0.1"),
    ]);
  });

  it("may name a self-signed certificate itself", async () => {
    const alone = keyPair("alone");
    const endpoint = await serveTls(alone);
    expect((await list(endpoint, "--ca-file", alone.cert)).code).toBe(0);
    expect((await list(endpoint)).stderr).toContain("does not trust the certificate");
  });

  it("that is missing, empty or damaged is wrong usage", async () => {
    const file = join(folder, "bad.pem");
    const said = async (text: string) => {
      writeFileSync(file, text);
      const { code, stderr } = await list(url, "--ca-file", file);
      return [code, stderr];
    };
    expect(await said("")).toEqual([
      2,
      `ERROR: --ca-file ${file} holds no certificate (PEM, BEGIN CERTIFICATE).\n`,
    ]);
    const damaged = readFileSync(CA_FILE, "utf8").replace(/MII/, "MIA");
    expect(await said(damaged)).toEqual([
      2,
      `ERROR: --ca-file ${file} holds a damaged certificate.\n`,
    ]);
    const missing = await list(url, "--ca-file", join(folder, "none.pem"));
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("cannot be read")]);
  });

  it.each([
    ["stack", "list"],
    ["serve", "--memory", "--port", "0"],
    ["agent", "--metadata-url", "http://127.0.0.1:9/", "--root", "nowhere"],
    ["server", "bootstrap", "app"],
    ["doctor"],
    ["token", "list", "--data", "nowhere"],
  ])("that cannot be read is named with its fault by %s %s", async (...words) => {
    const none = join(folder, "none.pem");
    expect(await hearth(url, ...words, "--ca-file", none)).toEqual({
      code: 2,
      stdout: "",
      stderr: `ERROR: --ca-file ${none} cannot be read: there is no such file.\n`,
    });
  });

  it("that is a folder or an empty word is wrong usage too", async () => {
    expect((await list(url, "--ca-file", folder)).stderr).toBe(
      `ERROR: --ca-file ${folder} cannot be read: it is a folder.\n`,
    );
    const empty = await list(url, "--ca-file", "");
    expect([empty.code, empty.stderr]).toEqual([2, "ERROR: --ca-file is empty\n"]);
  });

  it("may come from a variable, which an error then names, and which may be empty", async () => {
    const listWith = async (file: string) => {
      const words = ["stack", "list"];
      const { code, stderr } = await hearthWith({ HEARTH_CA_FILE: file }, url, ...words);
      return [code, stderr];
    };
    expect(await listWith(CA_FILE)).toEqual([0, ""]);
    const none = join(folder, "none.pem");
    expect(await listWith(none)).toEqual([
      2,
      `ERROR: HEARTH_CA_FILE ${none} cannot be read: there is no such file.\n`,
    ]);
    expect(await listWith("")).toEqual([1, expect.stringContaining("does not trust")]);
  });

  it("serves the agent too, which polls over TLS", async () => {
    const place = ["--metadata-url", `${url}${POLLED}none?x=1`, "--root", join(folder, "agent")];
    const agent = startHearth(url, "agent", "--ca-file", CA_FILE, ...place);
    await polled.promise;
    agent.interrupt();
    expect((await agent.ended).code).toBe(0);
  });

  it("serves the doctor too", async () => {
    const { stdout } = await hearth(url, "doctor", "--json", "--ca-file", CA_FILE);
    expect(JSON.parse(stdout)).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ check: "api", verdict: "ok" })]),
    });
  });
});
