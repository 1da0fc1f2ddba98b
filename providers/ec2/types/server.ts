/**
 * OS::Nova::Server: an instance of EC2. Its physical id is in a tag, because the agent's
 * configuration needs the id before EC2 has one.
 */
import type { Instance } from "@aws-sdk/client-ec2";
import type { Answer, ObjectCall, ProvidedType, WaitingCall } from "#provider/provider.ts";
import { BOOT_PROPERTY } from "#providers/boot-data.ts";
import { Refused, TryAgain } from "#providers/cloud-control/client.ts";
import { clientTokenOf } from "#providers/cloud-control/types/own-tag.ts";
import { idOf, nameOf } from "#providers/object-names.ts";
import { mayDiffer, type Refuse, SERVER_ATTRIBUTES } from "#providers/server-provider.ts";
import type { Step } from "#providers/steps.ts";
import { listOf, textOf } from "#providers/values.ts";
import { type At, type Ec2Accounts, hasCode, Impossible, MISMATCH, patiently } from "../account.ts";
import { differs, expectPossible, failed, looksAgain, stepsIn, unseen } from "../asked.ts";
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

const finished = async (at: At, id: string, instance: Instance): Promise<Answer> => ({
  state: "finished",
  physicalId: id,
  attributes: {
    name: nameOf(at.call, id),
    instance_name: idOfInstance(instance),
    accessIPv4: instance.PublicIpAddress ?? "",
    accessIPv6: "",
    console_urls: {},
    tags: listOf(at.call.properties["tags"]),
    first_address: instance.PrivateIpAddress ?? "",
    ...(await networksIn(at, instance)),
  },
});

/**
 * EC2 answers a known token with the same instance. If the parameters have changed since, for
 * instance the address that agents poll, EC2 refuses the call. Then the first instance is used.
 */
const run = async (at: At, wanted: Wanted): Promise<string> => {
  const given = { ...wanted, ClientToken: clientTokenOf(at.call.token) };
  try {
    const made = await patiently(at, () => at.ec2.runInstances(given, at.abort));
    return made.Instances?.[0]?.InstanceId ?? "";
  } catch (error) {
    if (!hasCode(error, MISMATCH)) throw error;
    const [first] = await instancesWith(at, ofOperation(at.call));
    if (first === undefined) throw new TryAgain("the first instance is not seen yet", at.pace.poll);
    return idOfInstance(first);
  }
};

const create = async (at: At, refuse: Refuse, boot: BootUserData): Promise<Answer> => {
  const id = idOf(at.call.token);
  try {
    expectPossible(refuse(at.call.properties));
    return looksAgain(at, id, await run(at, await planServer(at, id, boot)));
  } catch (error) {
    if (!(error instanceof Impossible || error instanceof Refused)) throw error;
    // The first call may have made the instance, and what its template names may be gone since.
    const [first] = await instancesWith(at, ofOperation(at.call));
    if (first === undefined) throw error;
    return looksAgain(at, id, idOfInstance(first));
  }
};

/**
 * Waits for an instance that EC2 does not show yet. If somebody has stopped the instance, it is
 * started: it holds its ports, so no replacement could use them.
 */
const created = async (at: At<WaitingCall>): Promise<Answer> => {
  const { physicalId: id, handle } = at.call;
  const instance = await instanceById(at, handle);
  if (instance === null) return looksAgain(at, id, handle);
  const seen = stateOf(instance);
  if (seen === "stopped") {
    await at.ec2.startInstances({ InstanceIds: [handle] }, at.abort);
  }
  if (seen === "stopped" || NOT_YET.includes(seen)) return looksAgain(at, id, handle);
  if (ENDED.includes(seen)) {
    return { state: "failed", reason: `EC2: ${endOf(instance)}`, physicalId: id };
  }
  const isWhole = await hasVolumes(at, instance);
  return isWhole ? finished(at, id, instance) : looksAgain(at, id, handle);
};

const remove = async (at: At<Step>): Promise<Answer> => {
  const { physicalId: id } = at.call;
  const instance = await instanceOf(at, at.call.physicalId);
  if (instance === null) {
    return (await removeInterfaces(at)) ? looksAgain(at, id) : unseen(at);
  }
  if (stateOf(instance) !== "shutting-down") {
    const given = { InstanceIds: [idOfInstance(instance)] };
    await at.ec2.terminateInstances(given, at.abort);
  }
  return looksAgain(at, id, idOfInstance(instance));
};

/** A smaller type has fewer interfaces, so they leave before the type changes. */
const changed = async (at: At<ObjectCall>, instance: Instance, handle: string): Promise<Answer> => {
  const { physicalId } = at.call;
  const again = (next = idOfInstance(instance)) => looksAgain(at, physicalId, next);
  const isMoved = mayDiffer(at.call, "networks");
  const plan = isMoved ? await plannedInterfaces(at, instance, handle) : null;
  if (isMoved && plan === null) return again(handle);
  if (plan !== null && !(await detachSurplus(at, plan))) return again();
  if (!(await resized(at, instance))) return again();
  const next = plan && (await attachNext(at, instance, plan));
  if (next !== null) return again(next);
  const name = nameOf(at.call, physicalId);
  await retag(at, { id: idOfInstance(instance), name });
  return finished(at, physicalId, instance);
};

const update = async (at: At<Step>, refuse: Refuse): Promise<Answer> => {
  if (replacesServer(at.call.previousProperties ?? {}, at.call.properties))
    return { state: "replace" };
  expectPossible(refuse(at.call.properties));
  const flavor = textOf(at.call.properties["flavor"]);
  if (flavorOf(at, flavor) === null) return failed(`The Flavor (${flavor}) could not be found.`);
  const instance = await instanceOf(at, at.call.physicalId);
  if (instance === null) return { state: "gone" };
  return changed(at, instance, at.call.handle ?? "");
};

const check = async (at: At<ObjectCall>): Promise<Answer> => {
  const instance = await instanceOf(at, at.call.physicalId);
  if (instance === null || stateOf(instance) === "shutting-down") return { state: "gone" };
  const seen = stateOf(instance);
  if (seen === "running") {
    const type = flavorOf(at, textOf(at.call.properties["flavor"]));
    const isOther = at.call.previousProperties !== null && type !== null;
    return isOther && instance.InstanceType !== type
      ? differs(`its type is ${instance.InstanceType} instead of ${type}`)
      : finished(at, at.call.physicalId, instance);
  }
  const reason = `the instance is ${seen}`;
  const isOff = seen === "stopping" || seen === "stopped";
  return { state: "failed", reason, ...(isOff ? { health: "stopped" } : {}) };
};

/** Hearth repeats the call until the instance is in this state. */
const towards =
  (state: "running" | "stopped") =>
  async (at: At<ObjectCall>): Promise<Answer> => {
    const instance = await instanceOf(at, at.call.physicalId);
    if (instance === null) return { state: "gone" };
    const seen = stateOf(instance);
    if (seen === state) return finished(at, at.call.physicalId, instance);
    const given = { InstanceIds: [idOfInstance(instance)] };
    if (seen === "running") await at.ec2.stopInstances(given, at.abort);
    if (seen === "stopped") await at.ec2.startInstances(given, at.abort);
    return { state: "throttled", afterSeconds: at.pace.poll };
  };

export const server = (
  accounts: Ec2Accounts,
  refuse: Refuse,
  boot: BootUserData,
): ProvidedType => ({
  description: "An instance of EC2.",
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
  tokens: "kept",
  ...stepsIn(accounts, {
    create: (at) => create(at, refuse, boot),
    created,
    update: (at) => update(at, refuse),
    remove,
    check,
    suspend: towards("stopped"),
    resume: towards("running"),
  }),
  repairable: true,
  marked: markedIn(accounts, markedServers),
});
