/**
 * OS::Nova::Server: an instance of EC2. Its physical id is in a tag, because the agent's
 * configuration needs the id before EC2 has one.
 */
import type { Instance } from "@aws-sdk/client-ec2";
import type {
  Answer,
  Call,
  JsonObject,
  ObjectCall,
  ProvidedType,
  WaitingCall,
} from "#provider/provider.ts";
import { CALL_SECONDS_MAX } from "#provider/read-provider.ts";
import { BOOT_PROPERTY } from "#providers/boot-data.ts";
import { Refused, TryAgain } from "#providers/cloud-control/client.ts";
import { clientTokenOf } from "#providers/cloud-control/types/own-tag.ts";
import { idOf, nameOf } from "#providers/object-names.ts";
import {
  mayDiffer,
  type Refuse,
  refusedBy,
  SERVER_ATTRIBUTES,
} from "#providers/server-provider.ts";
import { listOf, textOf } from "#providers/values.ts";
import {
  type Ec2Account,
  type Ec2Accounts,
  hasCode,
  Impossible,
  MISMATCH,
  patiently,
} from "../account.ts";
import { differs, failed, inAccount, looksAgain, unseen } from "../asked.ts";
import { markedIn, ofOperation, retag } from "../tags.ts";
import {
  attachNext,
  detachSurplus,
  plannedInterfaces,
  removeInterfaces,
} from "./change-interfaces.ts";
import {
  endOf,
  idOfInstance,
  instanceById,
  instanceOf,
  instancesWith,
  markedServers,
  stateOf,
} from "./instances.ts";
import { type BootUserData, flavorOf, planServer, resized, type Wanted } from "./plan-server.ts";
import { hasVolumes } from "./server-disks.ts";
import { networksIn } from "./server-networks.ts";
import { replacesServer } from "./server-refusals.ts";

const ENDED: readonly string[] = ["shutting-down", "terminated"];
/** EC2 does not start an instance that is still stopping. */
const NOT_YET: readonly string[] = ["pending", "stopping"];

const attributesOf = async (
  account: Ec2Account,
  call: Call,
  id: string,
  instance: Instance,
): Promise<JsonObject> => {
  return {
    name: nameOf(call, id),
    instance_name: idOfInstance(instance),
    accessIPv4: instance.PublicIpAddress ?? "",
    accessIPv6: "",
    console_urls: {},
    tags: listOf(call.properties["tags"]),
    first_address: instance.PrivateIpAddress ?? "",
    ...(await networksIn(account, instance, call.signal)),
  };
};

const finished = async (
  account: Ec2Account,
  call: Call,
  id: string,
  instance: Instance,
): Promise<Answer> => ({
  state: "finished",
  physicalId: id,
  attributes: await attributesOf(account, call, id, instance),
});

/**
 * EC2 answers a known token with the same instance. If the parameters have changed since, for
 * instance the address that agents poll, EC2 refuses the call. Then the first instance is used.
 */
const run = async (account: Ec2Account, call: Call, wanted: Wanted): Promise<string> => {
  const { ec2, pace } = account;
  const given = { ...wanted, ClientToken: clientTokenOf(call.token) };
  try {
    const made = await patiently(account, call.signal, () =>
      ec2.runInstances(given, { abortSignal: call.signal }),
    );
    return made.Instances?.[0]?.InstanceId ?? "";
  } catch (error) {
    if (!hasCode(error, MISMATCH)) throw error;
    const [first] = await instancesWith(account, ofOperation(call), call.signal);
    if (first === undefined) throw new TryAgain("the first instance is not seen yet", pace.poll);
    return idOfInstance(first);
  }
};

const create = async (
  account: Ec2Account,
  call: Call,
  refuse: Refuse,
  boot: BootUserData,
): Promise<Answer> => {
  const id = idOf(call.token);
  try {
    const wrong = refuse(call.properties);
    if (wrong !== null) throw new Impossible(refusedBy("EC2", wrong));
    const plan = await planServer(account, call, id, boot);
    if (typeof plan === "string") throw new Impossible(plan);
    return looksAgain(account, id, await run(account, call, plan.wanted));
  } catch (error) {
    if (!(error instanceof Impossible || error instanceof Refused)) throw error;
    // The first call may have made the instance, and what its template names may be gone since.
    const [first] = await instancesWith(account, ofOperation(call), call.signal);
    if (first === undefined) throw error;
    return looksAgain(account, id, idOfInstance(first));
  }
};

/**
 * Waits for an instance that EC2 does not show yet. If somebody has stopped the instance, it is
 * started: it holds its ports, so no replacement could use them.
 */
const created = async (account: Ec2Account, call: WaitingCall): Promise<Answer> => {
  const { physicalId: id, handle, signal } = call;
  const instance = await instanceById(account, handle, signal);
  if (instance === null) return looksAgain(account, id, handle);
  const seen = stateOf(instance);
  if (seen === "stopped") {
    await account.ec2.startInstances({ InstanceIds: [handle] }, { abortSignal: signal });
  }
  if (seen === "stopped" || NOT_YET.includes(seen)) return looksAgain(account, id, handle);
  if (ENDED.includes(seen)) {
    return { state: "failed", reason: `EC2: ${endOf(instance)}`, physicalId: id };
  }
  const isWhole = await hasVolumes(account, call, instance);
  return isWhole ? finished(account, call, id, instance) : looksAgain(account, id, handle);
};

const remove = async (account: Ec2Account, call: ObjectCall | WaitingCall): Promise<Answer> => {
  const { physicalId: id, signal } = call;
  const instance = await instanceOf(account, call);
  if (instance === null) {
    return (await removeInterfaces(account, call))
      ? looksAgain(account, id, id)
      : unseen(account.pace, call);
  }
  if (stateOf(instance) !== "shutting-down") {
    const given = { InstanceIds: [idOfInstance(instance)] };
    await account.ec2.terminateInstances(given, { abortSignal: signal });
  }
  return looksAgain(account, id, idOfInstance(instance));
};

/** A smaller type has fewer interfaces, so they leave before the type changes. */
const changed = async (
  account: Ec2Account,
  call: ObjectCall,
  instance: Instance,
  handle: string,
): Promise<Answer> => {
  const { physicalId } = call;
  const again = (next = idOfInstance(instance)) => looksAgain(account, physicalId, next);
  const isMoved = mayDiffer(call, "networks");
  const plan = isMoved ? await plannedInterfaces(account, call, instance, handle) : null;
  if (isMoved && plan === null) return again(handle);
  if (plan !== null && !(await detachSurplus(account, call, plan))) return again();
  if (!(await resized(account, call, instance))) return again();
  const next = plan && (await attachNext(account, call, instance, plan));
  if (next !== null) return again(next);
  const name = nameOf(call, physicalId);
  await retag(account, call, { id: idOfInstance(instance), name });
  return finished(account, call, physicalId, instance);
};

const update = async (
  account: Ec2Account,
  call: ObjectCall,
  refuse: Refuse,
  handle = "",
): Promise<Answer> => {
  if (replacesServer(call.previousProperties ?? {}, call.properties)) return { state: "replace" };
  const wrong = refuse(call.properties);
  if (wrong !== null) return failed(refusedBy("EC2", wrong));
  const flavor = textOf(call.properties["flavor"]);
  if (flavorOf(account, flavor) === null)
    return failed(`The Flavor (${flavor}) could not be found.`);
  const instance = await instanceOf(account, call);
  if (instance === null) return { state: "gone" };
  return changed(account, call, instance, handle);
};

const check = async (account: Ec2Account, call: ObjectCall): Promise<Answer> => {
  const instance = await instanceOf(account, call);
  if (instance === null || stateOf(instance) === "shutting-down") return { state: "gone" };
  const seen = stateOf(instance);
  if (seen === "running") {
    const type = flavorOf(account, textOf(call.properties["flavor"]));
    const isOther = call.previousProperties !== null && type !== null;
    return isOther && instance.InstanceType !== type
      ? differs(`its type is ${instance.InstanceType} instead of ${type}`)
      : finished(account, call, call.physicalId, instance);
  }
  const reason = `the instance is ${seen}`;
  const isOff = seen === "stopping" || seen === "stopped";
  return { state: "failed", reason, ...(isOff ? { health: "stopped" } : {}) };
};

/** Hearth repeats the call until the instance is in this state. */
const towards =
  (state: "running" | "stopped") =>
  async (account: Ec2Account, call: ObjectCall): Promise<Answer> => {
    const instance = await instanceOf(account, call);
    if (instance === null) return { state: "gone" };
    const seen = stateOf(instance);
    if (seen === state) return finished(account, call, call.physicalId, instance);
    const given = { InstanceIds: [idOfInstance(instance)] };
    const abort = { abortSignal: call.signal };
    if (seen === "running") await account.ec2.stopInstances(given, abort);
    if (seen === "stopped") await account.ec2.startInstances(given, abort);
    return { state: "throttled", afterSeconds: account.pace.poll };
  };

const SCHEMAS = {
  properties: {
    name: { type: "string", updateAllowed: true },
    image: { type: "string", updateAllowed: true },
    flavor: { type: "string", required: true, updateAllowed: true },
    key_name: { type: "string" },
    security_groups: { type: "list" },
    networks: { type: "list", updateAllowed: true },
    metadata: { type: "map", default: {}, updateAllowed: true },
    tags: { type: "list", updateAllowed: true },
    user_data: { type: "string", default: "", updateAllowed: true, secret: true },
    ...BOOT_PROPERTY,
  },
  attributes: SERVER_ATTRIBUTES,
} as const;

export const server = (
  accounts: Ec2Accounts,
  refuse: Refuse,
  boot: BootUserData,
): ProvidedType => ({
  description: "An instance of EC2.",
  ...SCHEMAS,
  tokens: "kept",
  callSecondsMax: CALL_SECONDS_MAX,
  create: inAccount(accounts, (account, call: Call) => create(account, call, refuse, boot)),
  poll: inAccount(accounts, (account, call: WaitingCall) => {
    if (call.action === "CREATE") return created(account, call);
    return call.action === "UPDATE"
      ? update(account, call, refuse, call.handle)
      : remove(account, call);
  }),
  cancel: async () => undefined,
  update: inAccount(accounts, (account, call: ObjectCall) => update(account, call, refuse)),
  repairable: true,
  delete: inAccount(accounts, remove),
  marked: markedIn(accounts, markedServers),
  check: inAccount(accounts, check),
  suspend: inAccount(accounts, towards("stopped")),
  resume: inAccount(accounts, towards("running")),
});
