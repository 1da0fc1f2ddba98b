/** Requests that Node would answer by itself. The guard decides about them like about any other. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { ACCESS_LOG_FILE } from "#host/access-log.ts";
import { askRaw, connectTo, endWorld, openWorld, stopHost } from "./reach-world.ts";

afterEach(endWorld);

const Entry = z.object({ status: z.number(), reason: z.string() });
const entriesIn = (folder: string) =>
  readFileSync(join(folder, ACCESS_LOG_FILE), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => Object.values(Entry.parse(JSON.parse(line))));

const STACKS = "/v1/demo/stacks HTTP/1.1\r\nHost: localhost\r\n";
const expecting = (what: string, headers = ""): string =>
  `POST ${STACKS}${headers}Content-Length: 2\r\nExpect: ${what}\r\n\r\n`;
const statusesIn = (answers: string): readonly string[] =>
  [...answers.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status = ""]) => status);

describe("a request that Node would answer by itself", () => {
  it("is refused and recorded by the guard, which asks no stranger for a body", async () => {
    const { host, folder } = await openWorld();
    expect(statusesIn(await askRaw(host.url, expecting("100-continue")))).toEqual(["401"]);
    const closing = "Connection: close\r\n";
    expect(statusesIn(await askRaw(host.url, expecting("tea", closing)))).toEqual(["401"]);
    const tunnel = "CONNECT elsewhere:80 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    expect(statusesIn(await askRaw(host.url, tunnel))).toEqual(["405"]);
    await stopHost(host);
    expect(entriesIn(folder)).toEqual([
      [401, "no-token"],
      [401, "no-token"],
      [405, "unreadable"],
    ]);
  });

  it("is asked for its body once its token is known", async () => {
    const { host, token } = await openWorld();
    const socket = await connectTo(host.url);
    const headers = `X-Auth-Token: ${token}\r\nConnection: close\r\n`;
    const asked = new Promise<string>((resolve) => {
      socket.once("data", (bytes: Buffer) => resolve(bytes.toString()));
    });
    socket.write(expecting("100-continue", headers));
    expect(statusesIn(await asked)).toEqual(["100"]);
    socket.write("{}");
    expect(statusesIn(await text(socket))).toEqual(["400"]);
  });
});

describe("a request that is being carried out", () => {
  it("does not get the answer to an unreadable one behind it", async () => {
    const { host, token } = await openWorld();
    const good = `GET ${STACKS}X-Auth-Token: ${token}\r\n\r\n`;
    expect(statusesIn(await askRaw(host.url, `${good}nonsense\r\n\r\n`))).not.toContain("400");
  });
});
