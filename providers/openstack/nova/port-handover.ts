/**
 * Ports that a server takes from the one it replaces. Heat detaches them from the old server before
 * it makes the new one, and gives them back in a rollback. Here the new server's creation takes
 * them, and its delete gives them back. Tags on the old server say what was taken by whom.
 */
import * as z from "zod/mini";
import type { Json } from "#provider/provider.ts";
import { objectsOf, textOf } from "../../values.ts";
import type { At } from "../asked.ts";
import { CONFLICT, expectGone, isSuccess, messageOf, readIfThere, TryAgain } from "../cloud.ts";
import { METADATA } from "../marks.ts";
import { idByName, PLACES } from "../names.ts";
import { askNeutron, askNova } from "../services.ts";
import { ERROR, isBroken, type NovaServer, serversWithTag, serverWithId } from "./servers.ts";

const TAKEN = "hearth-port-";
const TAKER = "hearth-to-";

/** An update of the server keeps them. */
export const handoverTags = ({ tags }: NovaServer): readonly string[] =>
  tags.filter((tag) => tag.startsWith(TAKEN) || tag.startsWith(TAKER));

const portSchema = z.object({ port: z.object({ device_id: z.string() }) });

/** The server that has the port. Empty: none. Null: there is no such port. */
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

/** An earlier version of the resource. A late call must not take a port from a later one. */
const isFormer = ({ call }: At, server: NovaServer, mark: string, began: number): boolean =>
  server.metadata[METADATA.stack] === call.stackName &&
  server.metadata[METADATA.resource] === call.resourceName &&
  server.metadata[METADATA.id] !== mark &&
  Date.parse(server.created) < began;

const tag = async (at: At, { id }: NovaServer, method: "PUT" | "DELETE", name: string) => {
  expectGone(await askNova(at, { method, path: `/servers/${id}/tags/${name}` }));
};

/** Nova detaches nothing from a server that has failed. */
const unbind = async (at: At, port: string): Promise<void> => {
  const json: Json = { port: { device_id: "", device_owner: "" } };
  const path = `/ports/${encodeURIComponent(port)}`;
  expectGone(await askNeutron(at, { method: "PUT", path, json }));
};

/** Nova answers before it is done, and says 409 while it is at work. */
const detach = async (at: At, { id, status }: NovaServer, port: string): Promise<void> => {
  if (status === ERROR) return unbind(at, port);
  const path = `/servers/${id}/os-interface/${encodeURIComponent(port)}`;
  const answer = await askNova(at, { method: "DELETE", path });
  if (answer.status !== CONFLICT) expectGone(answer);
};

/** Those that gave the port away before may get it back from this server too. */
const note = async (at: At, holder: NovaServer, port: string, mark: string): Promise<void> => {
  const earlier = await serversWithTag(at, `${TAKEN}${port}`);
  for (const server of [holder, ...earlier.filter(({ id }) => id !== holder.id)]) {
    await tag(at, server, "PUT", `${TAKEN}${port}`);
    await tag(at, server, "PUT", `${TAKER}${mark}`);
  }
};

/**
 * Begins to detach the named ports from an earlier version of the server. Call again until they are
 * free. `began`: of this call, in milliseconds since 1970.
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

/** Why it is not attached. Nova answers 500 if its hypervisor cannot. Null: it is. */
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

/** Why a port is not back. Null: all are. */
const giveBackTo = async (at: At, server: NovaServer, mark: string): Promise<string | null> => {
  const taken = server.tags.filter((name) => name.startsWith(TAKEN));
  for (const name of taken) {
    const port = name.slice(TAKEN.length);
    const holder = await holderOf(at, port);
    const why = holder === "" ? await attach(at, server, port) : null;
    if (why !== null) return `the port ${port} is not back at ${server.name}: ${why}`;
    // Who else has it took it later, and gives it back itself.
    if (holder === "" || holder === null || holder === server.id) {
      await tag(at, server, "DELETE", name);
    }
  }
  await tag(at, server, "DELETE", `${TAKER}${mark}`);
  return null;
};

/**
 * After the server with this mark has gone: gives the ports that it took back to the latest version
 * before it that is still there. Call again for as long as it says why not.
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
