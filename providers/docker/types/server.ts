import type {
  Answer,
  Call,
  FoundHealth,
  JsonObject,
  ObjectCall,
  ProvidedType,
  WaitingCall,
} from "#provider/provider.ts";
import { CALL_SECONDS_MAX } from "#provider/read-provider.ts";
import { isChanged } from "#providers/server-provider.ts";
import type { Step } from "#providers/steps.ts";
import { BOOT_PROPERTY } from "../../boot-data.ts";
import { idOf, nameOf } from "../../object-names.ts";
import { SERVER_ATTRIBUTES } from "../../server-provider.ts";
import { listOf } from "../../values.ts";
import { type At, asked, type BackEnd, stepsIn, textOfRefusal, waiting } from "../back-end.ts";
import { isSuccess, messageOf, NOT_FOUND } from "../engine/client.ts";
import type { Container } from "../engine/containers.ts";
import { isOfProject, labelsOfId, listsOf } from "../objects.ts";
import { giveAddressesBack, takeAddresses } from "./address-handover.ts";
import { rejoinNetworks, whatDiffers, whyLimited } from "./container-drift.ts";
import { ensureContainer } from "./ensure-container.ts";
import { limitsOf, planServer, RESTART_POLICY, serverName } from "./plan-server.ts";
import { dropOwnAddresses, networksIn } from "./server-networks.ts";
import { refuseServer } from "./server-refusals.ts";

const attributesOf = async (at: At, id: string, container: Container): Promise<JsonObject> => ({
  name: nameOf(at.call, id),
  instance_name: container.Name.replace(/^\//, ""),
  accessIPv4: "",
  accessIPv6: "",
  console_urls: {},
  tags: listOf(at.call.properties["tags"]),
  ...(await networksIn(at, container)),
});

/** Each step checks what exists, so the call can be repeated at any time. */
const create = async (at: At): Promise<Answer> => {
  const began = Date.now();
  const id = idOf(at.call.token);
  const fail = (reason: string): Answer => ({ state: "failed", reason, physicalId: id });
  const wrong = refuseServer(at.call.properties);
  if (wrong !== null) return fail(textOfRefusal(wrong));
  const plan = await planServer(at, id);
  if (plan.state === "waiting") return waiting(id);
  if (plan.state === "failed") return fail(plan.why);
  // An older version of the server may still have its addresses, and is deleted only afterwards.
  const takeThem = () => takeAddresses(at, { taker: id, began }, plan.fixed);
  const made = await ensureContainer(at, plan.wanted, takeThem);
  if (made.state === "busy") return waiting(id);
  if (made.state === "failed") return fail(`Docker: ${made.why}`);
  const attributes = await attributesOf(at, id, made.container);
  return { state: "finished", physicalId: id, attributes };
};

type Found = Container | null | "another project's";

const find = async ({ containers, call }: At<ObjectCall>): Promise<Found> => {
  const { physicalId: id, tenant } = call;
  const named = await containers.inspect(serverName(id));
  const [other] = named === null ? await containers.list(labelsOfId(tenant, "server", id)) : [];
  const found = other === undefined ? named : await containers.inspect(other.id);
  return found === null || isOfProject(found.Config.Labels, call) ? found : "another project's";
};

const containerOf = async (
  at: At<ObjectCall>,
  look: typeof find = ownNamed,
): Promise<Container | null> => {
  const found = await look(at);
  return found === "another project's" ? null : found;
};

const hasOwnName = ({ Name: name }: Container, { physicalId }: ObjectCall): boolean =>
  name.replace(/^\//, "") === serverName(physicalId);

/** Later calls use the name, so a renamed container gets its own name back first. */
const ownNamed = async (at: At<ObjectCall>): Promise<Found> => {
  const found = await find(at);
  if (found === null || found === "another project's" || hasOwnName(found, at.call)) return found;
  await at.containers.rename(found.Id, serverName(at.call.physicalId));
  return find(at);
};

/** A container that cannot be inspected may still have the name, so it is removed too. */
const remove = async (at: At<ObjectCall>): Promise<Answer> => {
  const { physicalId } = at.call;
  if ((await ownNamed(at)) === "another project's") return { state: "finished" };
  const isRemoved = await at.containers.remove(serverName(physicalId));
  if (!isRemoved) return waiting(physicalId);
  await giveAddressesBack(at, physicalId);
  await dropOwnAddresses(at, physicalId);
  return { state: "finished" };
};

const replaces = (call: Call): boolean =>
  isChanged(call, "image") ||
  isChanged(call, "networks") ||
  (isChanged(call, "user_data") && call.properties["user_data_update_policy"] !== "IGNORE");

const update = async (at: At<Step>): Promise<Answer> => {
  const { handle = "0" } = at.call;
  if (replaces(at.call)) return { state: "replace" };
  const wrong = refuseServer(at.call.properties);
  if (wrong !== null) return { state: "failed", reason: textOfRefusal(wrong) };
  const container = await containerOf(at);
  if (container === null) return { state: "gone" };
  // The engine could not remove it and cannot start it any more.
  if (at.call.repairs && container.State.Status === "dead") return { state: "replace" };
  const elsewhere = at.call.repairs ? await rejoinNetworks(at, container, handle) : null;
  if (elsewhere !== null) return elsewhere;
  if (isChanged(at.call, "flavor") || whyLimited(at.call, container).length > 0) {
    const limits = { ...limitsOf(at.call), RestartPolicy: RESTART_POLICY };
    const answer = await at.containers.update(serverName(at.call.physicalId), limits);
    // Older versions of Podman cannot change limits.
    if (answer.status === NOT_FOUND) return { state: "replace" };
    if (!isSuccess(answer)) return { state: "failed", reason: `Docker: ${messageOf(answer)}` };
  }
  return look(at, (await containerOf(at)) ?? container);
};

const look = async (at: At<ObjectCall>, container: Container): Promise<Answer> => {
  const attributes = await attributesOf(at, at.call.physicalId, container);
  return { state: "finished", attributes };
};

const healthIn = (status: string): { readonly health?: FoundHealth } => {
  if (status === "dead") return { health: "beyond repair" };
  return ["exited", "created", PAUSED].includes(status) ? { health: "stopped" } : {};
};

const PAUSED = "paused";

const check = async (at: At<ObjectCall>): Promise<Answer> => {
  const container = await containerOf(at, find);
  if (container === null) return { state: "gone" };
  const { Status: status } = container.State;
  if (status !== "running") {
    const reason = `the container is ${status}`;
    return { state: "failed", reason, ...healthIn(status) };
  }
  const different = [
    ...(hasOwnName(container, at.call) ? [] : ["the container has another name"]),
    ...(await whatDiffers(at, container)),
  ];
  if (different.length === 0) return look(at, container);
  return { state: "failed", reason: different.join(", and "), health: "differs" };
};

/** The engine neither starts nor stops a paused container. */
const awake = async (at: At<ObjectCall>): Promise<Container | null> => {
  const container = await containerOf(at);
  if (container?.State.Status === PAUSED) {
    await at.containers.unpause(serverName(at.call.physicalId));
  }
  return container;
};

const suspend = async (at: At<ObjectCall>): Promise<Answer> => {
  if ((await awake(at)) === null) return { state: "gone" };
  const answer = await at.containers.stop(serverName(at.call.physicalId));
  if (isSuccess(answer)) return { state: "finished" };
  const container = await containerOf(at);
  if (container === null) return { state: "gone" };
  return container.State.Status === "exited"
    ? { state: "finished" }
    : { state: "failed", reason: `Docker: ${messageOf(answer)}` };
};

const resume = async (at: At<ObjectCall>): Promise<Answer> => {
  const container = await awake(at);
  if (container === null) return { state: "gone" };
  const isOff = container.State.Status === "exited";
  const elsewhere = isOff ? await rejoinNetworks(at, container, null) : null;
  const answer = await at.containers.start(serverName(at.call.physicalId));
  const now = await containerOf(at);
  if (now === null) return { state: "gone" };
  const { Status: status } = now.State;
  if (status === "running") return look(at, now);
  if (elsewhere !== null) return elsewhere;
  const reason = isSuccess(answer) ? `the container is ${status}` : `Docker: ${messageOf(answer)}`;
  return { state: "failed", reason };
};

const poll = async (at: At<WaitingCall>): Promise<Answer> => {
  if (at.call.action === "CREATE") return create(at);
  return at.call.action === "UPDATE" ? update(at) : remove(at);
};

export const server = (backEnd: BackEnd): ProvidedType => ({
  description: "A container.",
  properties: {
    name: { type: "string", updateAllowed: true },
    image: { type: "string", required: true, updateAllowed: true },
    flavor: { type: "string", required: true, updateAllowed: true },
    key_name: { type: "string" },
    networks: { type: "list", updateAllowed: true },
    metadata: { type: "map", default: {}, updateAllowed: true },
    tags: { type: "list", updateAllowed: true },
    user_data: { type: "string", default: "", updateAllowed: true, secret: true },
    user_data_update_policy: { type: "string", default: "REPLACE", updateAllowed: true },
    block_device_mapping_v2: { type: "list" },
    ...BOOT_PROPERTY,
  },
  attributes: SERVER_ATTRIBUTES,
  tokens: "kept",
  callSecondsMax: CALL_SECONDS_MAX,
  ...stepsIn(backEnd, { create, update, remove, check, suspend, resume }),
  poll: (call) => asked(() => poll({ ...backEnd, call }), call.physicalId),
  repairable: true,
  ...listsOf("server", async (wanted) =>
    (await backEnd.containers.list(wanted)).map(({ labels }) => labels),
  ),
});
