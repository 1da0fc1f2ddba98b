/**
 * Moves ports from a server to its replacement. Heat detaches them before it creates the new
 * server, and attaches them again in a rollback. Here the creation of the new server takes the
 * ports, and its delete gives them back. Tags on the old server remember which port went where.
 */
import * as z from "zod/mini";
import type { Json } from "#provider/provider.ts";
import { objectsOf, textOf } from "../../values.ts";
import { type At, askNeutron, askNova } from "../asked.ts";
import { CONFLICT, expectGone, isSuccess, messageOf, readIfThere, TryAgain } from "../cloud.ts";
import { METADATA } from "../marks.ts";
import { idByName, PLACES } from "../names.ts";
import { ERROR, isBroken, type NovaServer, serversWithTag, serverWithId } from "./servers.ts";

const TAKEN = "hearth-port-";
const TAKER = "hearth-to-";

/** An update of the server must keep these tags. */
export const handoverTags = ({ tags }: NovaServer): readonly string[] =>
  tags.filter((tag) => tag.startsWith(TAKEN) || tag.startsWith(TAKER));

const portSchema = z.object({ port: z.object({ device_id: z.string() }) });

/** @returns an empty text for a port without a server, and null for a port that does not exist */
const holderOf = async (at: At, port: string): Promise<string | null> => {
  const path = `/ports/${encodeURIComponent(port)}`;
  const answer = await askNeutron(at, { method: "GET", path });
  return readIfThere(portSchema, answer)?.port.device_id ?? null;
};

export const namesPorts = ({ call }: Pick<At, "call">): boolean =>
  objectsOf(call.properties["networks"]).some(({ port }) => textOf(port) !== "");

const namedPorts = (at: At): Promise<readonly string[]> => {
  const names = objectsOf(at.call.properties["networks"]).map(({ port }) => textOf(port));
  return Promise.all(
    names.filter((name) => name !== "").map((name) => idByName(at, PLACES.port, name)),
  );
};

/** Whether the server is an older version: a late call must not take a port from a newer one. */
const isFormer = ({ call }: At, server: NovaServer, mark: string, began: number): boolean =>
  server.metadata[METADATA.stack] === call.stackName &&
  server.metadata[METADATA.resource] === call.resourceName &&
  server.metadata[METADATA.id] !== mark &&
  Date.parse(server.created) < began;

const tag = async (at: At, { id }: NovaServer, method: "PUT" | "DELETE", name: string) => {
  expectGone(await askNova(at, { method, path: `/servers/${id}/tags/${name}` }));
};

/** Nova detaches nothing from a server in ERROR, so Neutron unbinds the port. */
const unbind = async (at: At, port: string): Promise<void> => {
  const json: Json = { port: { device_id: "", device_owner: "" } };
  const path = `/ports/${encodeURIComponent(port)}`;
  expectGone(await askNeutron(at, { method: "PUT", path, json }));
};

/** Nova answers before the port is detached, and answers 409 while it is working. */
const detach = async (at: At, { id, status }: NovaServer, port: string): Promise<void> => {
  if (status === ERROR) return unbind(at, port);
  const path = `/servers/${id}/os-interface/${encodeURIComponent(port)}`;
  const answer = await askNova(at, { method: "DELETE", path });
  if (answer.status !== CONFLICT) expectGone(answer);
};

/** Servers that gave the port away earlier may get it back from this one. */
const note = async (at: At, holder: NovaServer, port: string, mark: string): Promise<void> => {
  const earlier = await serversWithTag(at, `${TAKEN}${port}`);
  for (const server of [holder, ...earlier.filter(({ id }) => id !== holder.id)]) {
    await tag(at, server, "PUT", `${TAKEN}${port}`);
    await tag(at, server, "PUT", `${TAKER}${mark}`);
  }
};

/**
 * Begins to detach the named ports from an older version. The caller repeats this until they are
 * free. `began` is when the call began, in milliseconds since 1970.
 */
export const takePorts = async (at: At, mark: string, began: number): Promise<void> => {
  for (const port of await namedPorts(at)) {
    const id = await holderOf(at, port);
    const holder = id === null || id === "" ? null : await serverWithId(at, id);
    if (holder === null || !isFormer(at, holder, mark, began)) continue;
    await note(at, holder, port, mark);
    await detach(at, holder, port);
  }
};

/** @returns null when it is attached, or else why not: Nova answers 500 if its hypervisor cannot */
const attach = async (at: At, { id }: NovaServer, port: string): Promise<string | null> => {
  const json: Json = { interfaceAttachment: { port_id: port } };
  const path = `/servers/${id}/os-interface`;
  try {
    const answer = await askNova(at, { method: "POST", path, json });
    return isSuccess(answer) ? null : messageOf(answer);
  } catch (error) {
    if (error instanceof TryAgain) return error.message;
    throw error;
  }
};

/** @returns null when all ports are back, or else why one is not */
const giveBackTo = async (at: At, server: NovaServer, mark: string): Promise<string | null> => {
  const taken = server.tags.filter((name) => name.startsWith(TAKEN));
  for (const name of taken) {
    const port = name.slice(TAKEN.length);
    const holder = await holderOf(at, port);
    const why = holder === "" ? await attach(at, server, port) : null;
    if (why !== null) return `the port ${port} is not back at ${server.name}: ${why}`;
    // Another server has taken the port since, and gives it back itself.
    if (holder === "" || holder === null || holder === server.id) {
      await tag(at, server, "DELETE", name);
    }
  }
  await tag(at, server, "DELETE", `${TAKER}${mark}`);
  return null;
};

/**
 * When the server is gone, its ports return to the newest older version that still exists. The
 * caller repeats this as long as the result is a reason.
 */
export const givePortsBack = async (at: At, mark: string): Promise<string | null> => {
  const former = await serversWithTag(at, `${TAKER}${mark}`);
  const able = former.filter(
    (server) => !isBroken(server) && server["OS-EXT-STS:task_state"] !== "deleting",
  );
  for (const server of able.toReversed()) {
    const why = await giveBackTo(at, server, mark);
    if (why !== null) return why;
  }
  return null;
};
