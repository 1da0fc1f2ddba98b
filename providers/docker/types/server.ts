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
import { BOOT_PROPERTY } from "../../boot-data.ts";
import { idOf, nameOf } from "../../object-names.ts";
import { SERVER_ATTRIBUTES } from "../../server-provider.ts";
import { listOf } from "../../values.ts";
import { asked, type BackEnd, textOfRefusal, waiting } from "../back-end.ts";
import { isSuccess, messageOf, NOT_FOUND } from "../engine/client.ts";
import type { Container } from "../engine/containers.ts";
import { isOfProject, LABELS, labelsOfId, markOf } from "../objects.ts";
import { giveAddressesBack, takeAddresses } from "./address-handover.ts";
import { rejoinNetworks, whatDiffers, whyLimited } from "./container-drift.ts";
import { type Ensured, ensureContainer } from "./ensure-container.ts";
import { limitsOf, type Plan, planServer, RESTART_POLICY, serverName } from "./plan-server.ts";
import { dropOwnAddresses, networksIn } from "./server-networks.ts";
import { refuseServer } from "./server-refusals.ts";

const attributesOf = async (
  backEnd: BackEnd,
  call: Call,
  id: string,
  container: Container,
): Promise<JsonObject> => {
  return {
    name: nameOf(call, id),
    instance_name: container.Name.replace(/^\//, ""),
    accessIPv4: "",
    accessIPv6: "",
    console_urls: {},
    tags: listOf(call.properties["tags"]),
    ...(await networksIn(backEnd, container)),
  };
};

/** An older version of the server may still have its addresses, and is deleted only afterwards. */
const ensure = (
  backEnd: BackEnd,
  call: Call,
  { wanted, fixed }: Extract<Plan, { state: "planned" }>,
  began: number,
): Promise<Ensured> => {
  const taker = idOf(call.token);
  const beforeStart = () => takeAddresses(backEnd, call, { taker, began }, fixed);
  return ensureContainer(backEnd, wanted, beforeStart);
};

/** Each step checks what exists, so the call can be repeated at any time. */
const create = async (backEnd: BackEnd, call: Call): Promise<Answer> => {
  const began = Date.now();
  const id = idOf(call.token);
  const fail = (reason: string): Answer => ({ state: "failed", reason, physicalId: id });
  const wrong = refuseServer(call.properties);
  if (wrong !== null) return fail(textOfRefusal(wrong));
  const plan = await planServer(backEnd, call, id);
  if (plan.state === "waiting") return waiting(id);
  if (plan.state === "failed") return fail(plan.why);
  const made = await ensure(backEnd, call, plan, began);
  if (made.state === "busy") return waiting(id);
  if (made.state === "failed") return fail(`Docker: ${made.why}`);
  const attributes = await attributesOf(backEnd, call, id, made.container);
  return { state: "finished", physicalId: id, attributes };
};

type Found = Container | null | "another project's";

const find = async ({ containers }: BackEnd, call: ObjectCall): Promise<Found> => {
  const { physicalId: id, tenant } = call;
  const named = await containers.inspect(serverName(id));
  const [other] = named === null ? await containers.list(labelsOfId(tenant, "server", id)) : [];
  const found = other === undefined ? named : await containers.inspect(other.id);
  return found === null || isOfProject(found.Config.Labels, call) ? found : "another project's";
};

const containerOf = async (
  backEnd: BackEnd,
  call: ObjectCall,
  look: typeof find = ownNamed,
): Promise<Container | null> => {
  const found = await look(backEnd, call);
  return found === "another project's" ? null : found;
};

const hasOwnName = ({ Name: name }: Container, { physicalId }: ObjectCall): boolean =>
  name.replace(/^\//, "") === serverName(physicalId);

/** Later calls use the name, so a renamed container gets its own name back first. */
const ownNamed = async (backEnd: BackEnd, call: ObjectCall): Promise<Found> => {
  const found = await find(backEnd, call);
  if (found === null || found === "another project's" || hasOwnName(found, call)) return found;
  await backEnd.containers.rename(found.Id, serverName(call.physicalId));
  return find(backEnd, call);
};

/** A container that cannot be inspected may still have the name, so it is removed too. */
const remove = async (backEnd: BackEnd, call: ObjectCall): Promise<Answer> => {
  const { physicalId } = call;
  if ((await ownNamed(backEnd, call)) === "another project's") return { state: "finished" };
  const isRemoved = await backEnd.containers.remove(serverName(physicalId));
  if (!isRemoved) return waiting(physicalId);
  await giveAddressesBack(backEnd, call, physicalId);
  await dropOwnAddresses(backEnd, call, physicalId);
  return { state: "finished" };
};

const replaces = (call: Call): boolean =>
  isChanged(call, "image") ||
  isChanged(call, "networks") ||
  (isChanged(call, "user_data") && call.properties["user_data_update_policy"] !== "IGNORE");

const update = async (backEnd: BackEnd, call: ObjectCall, handle = "0"): Promise<Answer> => {
  const { containers } = backEnd;
  const name = serverName(call.physicalId);
  if (replaces(call)) return { state: "replace" };
  const wrong = refuseServer(call.properties);
  if (wrong !== null) return { state: "failed", reason: textOfRefusal(wrong) };
  const container = await containerOf(backEnd, call);
  if (container === null) return { state: "gone" };
  // The engine could not remove it and cannot start it any more.
  if (call.repairs && container.State.Status === "dead") return { state: "replace" };
  const elsewhere = call.repairs ? await rejoinNetworks(backEnd, call, container, handle) : null;
  if (elsewhere !== null) return elsewhere;
  if (isChanged(call, "flavor") || whyLimited(call, container).length > 0) {
    const limits = { ...limitsOf(call), RestartPolicy: RESTART_POLICY };
    const answer = await containers.update(name, limits);
    // Older versions of Podman cannot change limits.
    if (answer.status === NOT_FOUND) return { state: "replace" };
    if (!isSuccess(answer)) return { state: "failed", reason: `Docker: ${messageOf(answer)}` };
  }
  return look(backEnd, call, (await containerOf(backEnd, call)) ?? container);
};

const look = async (backEnd: BackEnd, call: ObjectCall, container: Container): Promise<Answer> => {
  const attributes = await attributesOf(backEnd, call, call.physicalId, container);
  return { state: "finished", attributes };
};

const healthIn = (status: string): { readonly health?: FoundHealth } => {
  if (status === "dead") return { health: "beyond repair" };
  return ["exited", "created", PAUSED].includes(status) ? { health: "stopped" } : {};
};

const PAUSED = "paused";

const check = async (backEnd: BackEnd, call: ObjectCall): Promise<Answer> => {
  const container = await containerOf(backEnd, call, find);
  if (container === null) return { state: "gone" };
  const { Status: status } = container.State;
  if (status !== "running") {
    const reason = `the container is ${status}`;
    return { state: "failed", reason, ...healthIn(status) };
  }
  const different = [
    ...(hasOwnName(container, call) ? [] : ["the container has another name"]),
    ...(await whatDiffers(backEnd, call, container)),
  ];
  if (different.length === 0) return look(backEnd, call, container);
  return { state: "failed", reason: different.join(", and "), health: "differs" };
};

/** The engine neither starts nor stops a paused container. */
const awake = async (backEnd: BackEnd, call: ObjectCall): Promise<Container | null> => {
  const container = await containerOf(backEnd, call);
  if (container?.State.Status === PAUSED) {
    await backEnd.containers.unpause(serverName(call.physicalId));
  }
  return container;
};

const suspend = async (backEnd: BackEnd, call: ObjectCall): Promise<Answer> => {
  if ((await awake(backEnd, call)) === null) return { state: "gone" };
  const answer = await backEnd.containers.stop(serverName(call.physicalId));
  if (isSuccess(answer)) return { state: "finished" };
  const container = await containerOf(backEnd, call);
  if (container === null) return { state: "gone" };
  return container.State.Status === "exited"
    ? { state: "finished" }
    : { state: "failed", reason: `Docker: ${messageOf(answer)}` };
};

const resume = async (backEnd: BackEnd, call: ObjectCall): Promise<Answer> => {
  const container = await awake(backEnd, call);
  if (container === null) return { state: "gone" };
  const isOff = container.State.Status === "exited";
  const elsewhere = isOff ? await rejoinNetworks(backEnd, call, container, null) : null;
  const answer = await backEnd.containers.start(serverName(call.physicalId));
  const now = await containerOf(backEnd, call);
  if (now === null) return { state: "gone" };
  const { Status: status } = now.State;
  if (status === "running") return look(backEnd, call, now);
  if (elsewhere !== null) return elsewhere;
  const reason = isSuccess(answer) ? `the container is ${status}` : `Docker: ${messageOf(answer)}`;
  return { state: "failed", reason };
};

const poll = async (backEnd: BackEnd, call: WaitingCall): Promise<Answer> => {
  if (call.action === "CREATE") return create(backEnd, call);
  return call.action === "UPDATE" ? update(backEnd, call, call.handle) : remove(backEnd, call);
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
  create: (call) => asked(() => create(backEnd, call), idOf(call.token)),
  poll: (call) => asked(() => poll(backEnd, call), call.physicalId),
  cancel: async () => undefined,
  update: (call) => asked(() => update(backEnd, call)),
  repairable: true,
  delete: (call) => asked(() => remove(backEnd, call)),
  check: (call) => asked(() => check(backEnd, call)),
  suspend: (call) => asked(() => suspend(backEnd, call)),
  resume: (call) => asked(() => resume(backEnd, call)),
  list: async () => {
    const found = await backEnd.containers.list({ [LABELS.kind]: "server" });
    return found.map(({ labels }) => labels[LABELS.id] ?? "");
  },
  marked: async (tenant) => {
    const wanted = { [LABELS.kind]: "server", [LABELS.tenant]: tenant };
    return (await backEnd.containers.list(wanted)).map(({ labels }) => markOf(labels));
  },
});
