/**
 * OS::Nova::Server. Its physical id is Hearth's, because user data contains the id before Nova has
 * made the server. A tag that the creation sets leads from this id to Nova's server.
 */
import * as z from "zod/mini";
import type {
  Answer,
  JsonObject,
  ObjectCall,
  ProvidedType,
  WaitingCall,
} from "#provider/provider.ts";
import type { Step } from "#providers/steps.ts";
import { BOOT_PROPERTY } from "../../boot-data.ts";
import { SERVER_ATTRIBUTES } from "../../server-provider.ts";
import { listOf } from "../../values.ts";
import {
  type At,
  askNova,
  changedOutside,
  expectPossible,
  inUse,
  lookTwice,
  type Site,
  stepsIn,
  twinsOf,
  waitFor,
} from "../asked.ts";
import { CONFLICT, isSuccess, messageOf, Refused, readMade, resource } from "../cloud.ts";
import { markOf } from "../marks.ts";
import { givePortsBack, namesPorts, takePorts } from "./port-handover.ts";
import { refuseServer } from "./server-refusals.ts";
import { serverRequest } from "./server-request.ts";
import { updateServer, whatDiffers } from "./server-update.ts";
import {
  deleteServer,
  ERROR,
  isBroken,
  markedServers,
  type NovaServer,
  networksIn,
  serverOf,
  serversOf,
  serversWithMark,
  serverWithId,
} from "./servers.ts";

const made = z.object({ server: resource });

/** Another server has the port, perhaps the one that this server replaces. */
const PORT_IN_USE = /^Port .* is still in use/;

const attributesOf = async (at: At, server: NovaServer): Promise<JsonObject> => {
  return {
    name: server.name,
    instance_name: server["OS-EXT-SRV-ATTR:instance_name"] ?? "",
    accessIPv4: server.accessIPv4,
    accessIPv6: server.accessIPv6,
    console_urls: {},
    tags: listOf(at.call.properties["tags"]),
    ...(await networksIn(at, server)),
  };
};

/** A repeated request may make two servers. If both name a port, either may have failed for it. */
const keepOne = async (at: At, mark: string, known: NovaServer): Promise<NovaServer> => {
  const seen = await twinsOf(at, known.id, () => serversWithMark(at, mark));
  const kept = seen.find(({ status }) => status !== ERROR) ?? seen[0] ?? known;
  for (const { id } of seen) if (id !== kept.id) await deleteServer(at, id);
  return kept;
};

const progress = async (at: At, mark: string, known: NovaServer): Promise<Answer> => {
  const server = await keepOne(at, mark, known);
  const { status, fault } = server;
  if (status === ERROR) {
    const why = fault?.message ?? "the server's status is ERROR";
    return { state: "failed", reason: `OpenStack: ${why}`, physicalId: mark };
  }
  if (status !== "ACTIVE") return waitFor(at, mark, server.id);
  return { state: "finished", physicalId: mark, attributes: await attributesOf(at, server) };
};

const begin = async (at: At, mark: string, began: number): Promise<Answer> => {
  const json = await serverRequest(at, mark);
  const answer = await askNova(at, { method: "POST", path: "/servers", json });
  if (answer.status === CONFLICT && PORT_IN_USE.test(messageOf(answer))) {
    await takePorts(at, mark, began);
    return { state: "throttled", afterSeconds: at.pace.pollSeconds };
  }
  return waitFor(at, mark, readMade(made, answer).server.id);
};

const create = async (at: At): Promise<Answer> => {
  const began = Date.now();
  expectPossible(refuseServer(at.call.properties));
  const mark = markOf(at.call);
  try {
    return await begin(at, mark, began);
  } catch (error) {
    if (!(error instanceof Refused) || !namesPorts(at)) throw error;
    // Ports may have been taken. The delete of this server, which does not exist, gives them back.
    return { state: "failed", reason: `OpenStack: ${error.message}`, physicalId: mark };
  }
};

const find = async (at: At): Promise<Answer | null> => {
  const mark = markOf(at.call);
  const found = await lookTwice(at, async () => (await serversWithMark(at, mark))[0] ?? null);
  return found && progress(at, mark, found);
};

const GONE = "the server is gone before it was ready";

const pollCreate = async (at: At<WaitingCall>): Promise<Answer> => {
  const { handle, physicalId } = at.call;
  const byId = await serverWithId(at, handle);
  if (byId !== null) return progress(at, physicalId, byId);
  const other = await lookTwice(at, async () => (await serversWithMark(at, physicalId))[0] ?? null);
  if (other !== null) return progress(at, physicalId, other);
  return { state: "failed", reason: GONE, physicalId };
};

const removed = async (at: At<Step>): Promise<Answer> => {
  const why = await givePortsBack(at, at.call.physicalId);
  return why === null ? { state: "finished" } : inUse(at, why);
};

/** Nova answers before the server is gone. */
const remove = async (at: At<Step>): Promise<Answer> => {
  const { physicalId } = at.call;
  const found = await lookTwice(at, async () => {
    const all = await serversOf(at, physicalId);
    return all.length === 0 ? null : all;
  });
  if (found === null) return removed(at);
  for (const { id, "OS-EXT-STS:task_state": task } of found) {
    if (task !== "deleting") await deleteServer(at, id);
  }
  return waitFor(at, physicalId, "delete");
};

/** A delete that goes on needs no second look: a server that is not visible is gone. */
const pollDelete = async (at: At<Step>): Promise<Answer> =>
  (await serversOf(at, at.call.physicalId)).length === 0 ? removed(at) : remove(at);

const check = async (at: At<ObjectCall>): Promise<Answer> => {
  const server = await serverOf(at, at.call.physicalId);
  if (server === null) return { state: "gone" };
  const { status, fault } = server;
  if (status === "ACTIVE") {
    const names = at.call.previousProperties === null ? [] : await whatDiffers(at, server);
    return names.length === 0
      ? { state: "finished", attributes: await attributesOf(at, server) }
      : changedOutside(names);
  }
  const why = fault === undefined ? "" : `: ${fault.message}`;
  const reason = `the server's status is ${status}${why}`;
  if (isBroken(server)) return { state: "failed", reason, health: "beyond repair" };
  return { state: "failed", reason, ...(isOff(status) ? { health: "stopped" } : {}) };
};

const update = async (at: At<Step>): Promise<Answer> => {
  expectPossible(refuseServer(at.call.properties));
  const server = await serverOf(at, at.call.physicalId);
  if (server === null) return { state: "gone" };
  const step = await updateServer(at, server, at.call.handle ?? "");
  if (step.state !== "finished") return step;
  const now = (await serverWithId(at, server.id)) ?? server;
  return { state: "finished", attributes: await attributesOf(at, now) };
};

const VERBS = {
  SUSPENDED: { ACTIVE: "suspend", PAUSED: "unpause" },
  ACTIVE: { SUSPENDED: "resume", SHUTOFF: "os-start", PAUSED: "unpause" },
} as const satisfies Record<string, Readonly<Record<string, string>>>;
type Target = keyof typeof VERBS;

const isOff = (status: string): boolean => Object.hasOwn(VERBS.ACTIVE, status);

/** Nova refuses an action while it is busy, and if the server has the status already. */
const bring = async (at: At<ObjectCall>, target: Target): Promise<Answer> => {
  const server = await serverOf(at, at.call.physicalId);
  if (server === null) return { state: "gone" };
  const { id, status, fault, "OS-EXT-STS:task_state": task } = server;
  const isStopped = target === "SUSPENDED" && status === "SHUTOFF";
  if (status === target || isStopped) return { state: "finished" };
  if (status === ERROR) return { state: "failed", reason: fault?.message ?? "status ERROR" };
  const verb = new Map<string, string>(Object.entries(VERBS[target])).get(status);
  if ((task ?? null) === null && verb !== undefined) {
    const json = { [verb]: null };
    const answer = await askNova(at, { method: "POST", path: `/servers/${id}/action`, json });
    if (!isSuccess(answer) && answer.status !== CONFLICT) {
      return { state: "failed", reason: `OpenStack: ${messageOf(answer)}` };
    }
  }
  return waitFor(at, at.call.physicalId, target);
};

export const server = (site: Site): ProvidedType => ({
  description: "A server.",
  properties: {
    name: { type: "string", updateAllowed: true },
    image: { type: "string", updateAllowed: true },
    flavor: { type: "string", required: true, updateAllowed: true },
    key_name: { type: "string" },
    networks: { type: "list", updateAllowed: true },
    security_groups: { type: "list", default: [] },
    metadata: { type: "map", default: {}, updateAllowed: true },
    tags: { type: "list", updateAllowed: true },
    user_data: { type: "string", default: "", updateAllowed: true, secret: true },
    user_data_update_policy: { type: "string", default: "REPLACE", updateAllowed: true },
    image_update_policy: { type: "string", default: "REBUILD", updateAllowed: true },
    flavor_update_policy: { type: "string", default: "RESIZE", updateAllowed: true },
    block_device_mapping_v2: { type: "list" },
    ...BOOT_PROPERTY,
  },
  attributes: SERVER_ATTRIBUTES,
  tokens: "searchable",
  ...stepsIn(site, {
    create,
    created: pollCreate,
    find,
    update,
    remove,
    removed: pollDelete,
    check,
    suspend: (at) => bring(at, "SUSPENDED"),
    resume: (at) => bring(at, "ACTIVE"),
  }),
  repairable: true,
  marked: markedServers(site),
});
