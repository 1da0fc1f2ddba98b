/**
 * Plays the provider on an engine, as Hearth calls it: the contract kit for each type, and every
 * request of an operation spoilt once. An engine is a double, Docker or Podman.
 */

import { checkProvider } from "#provider/kit/check-provider.ts";
import type { Answer, Call, JsonObject, ProvidedType, Provider } from "#provider/provider.ts";
import { readProvider } from "#provider/read-provider.ts";
import { dockerProvider } from "#providers/docker/docker-provider.ts";
import { openEngine } from "#providers/docker/engine/client.ts";
import { callOf } from "../contract/provider-call.ts";
import { type CuttingProxy, FAULTS, type Fault } from "./cutting-proxy.ts";

/** It has /bin/sh and Node, and no cloud-init. */
export const IMAGE = "hearth-test/node:1";
/** Its first process can be a shell, and it has no Node. */
export const BARE_IMAGE = "hearth-test/bare:1";

const AGENT = "// The agent's program";
const REPEATS_MAX = 60;
const REQUESTS_MAX = 60;
const PAUSE_MS = 20;

export interface Result {
  readonly name: string;
  readonly wrong: readonly string[];
}

export const providerAt = (socketPath: string) =>
  dockerProvider(openEngine({ socketPath }), async () => AGENT);

/** The kit takes what the interface of plug-ins has. */
const pluginAt = async (socketPath: string): Promise<Provider> => {
  const { provider, name, types } = providerAt(socketPath);
  const plain = Object.entries(types).map(([type, given]) => {
    const { suspend: _, resume: __, ...own } = { suspend: null, resume: null, ...given };
    return [type, own];
  });
  return readProvider({ provider, name, types: Object.fromEntries(plain) });
};

const SCRIPT = "#!/bin/sh\necho began > /tmp/began\n";
const SERVER: JsonObject = { image: IMAGE, flavor: "1c-64m", user_data: SCRIPT };

interface KitCase {
  readonly type: string;
  readonly properties: JsonObject;
  readonly changed?: JsonObject;
  readonly replacement?: JsonObject;
  readonly failing?: JsonObject;
}

export const KIT_CASES: readonly KitCase[] = [
  {
    type: "OS::Nova::KeyPair",
    properties: { name: "one", public_key: "ssh-ed25519 AAAA one" },
    replacement: { name: "two", save_private_key: true },
    failing: { name: "three", type: "x509" },
  },
  { type: "OS::Neutron::Net", properties: { name: "front" }, changed: { name: "back" } },
  {
    type: "OS::Cinder::Volume",
    properties: { size: 1 },
    changed: { size: 2 },
    failing: { size: 1, image: "cirros" },
  },
  {
    type: "OS::Nova::Server",
    properties: SERVER,
    changed: { ...SERVER, flavor: "1c-96m" },
    failing: { ...SERVER, image: BARE_IMAGE, user_data: "#cloud-config\n{}\n" },
  },
];

export const playKit = async (
  socketPath: string,
  { type, ...options }: KitCase,
): Promise<readonly Result[]> => {
  const load = () => pluginAt(socketPath);
  const found = await checkProvider({ ...options, type, load }, () => undefined);
  return found.map(({ name, verdict, text, calls }) => ({
    name: `${type}: ${name}`,
    wrong: verdict === "failed" ? [text, ...calls] : [],
  }));
};

export const typeAt = (socketPath: string, name: string): ProvidedType => {
  const type = providerAt(socketPath).types[name];
  if (type === undefined) throw new Error(`the provider has no type ${name}`);
  return type;
};

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/** As P14: a repeated creation asks `find` first where tokens are ignored. */
const createOnce = async (type: ProvidedType, call: Call, isRepeated: boolean): Promise<Answer> => {
  const found = isRepeated && type.find ? await type.find(call).catch(() => null) : null;
  return found ?? type.create(call);
};

/** Asks until the operation has ended. */
const settled = async (
  ask: (isRepeated: boolean) => Promise<Answer>,
  poll: (physicalId: string, handle: string | undefined) => Promise<Answer>,
): Promise<Answer> => {
  let answer = await ask(false);
  for (let repeats = 0; repeats < REPEATS_MAX; repeats += 1) {
    if (answer.state === "throttled") {
      await pause();
      answer = await ask(true);
    } else if (answer.state === "waiting") {
      await pause();
      const polled = await poll(answer.physicalId, answer.handle);
      // A poll that is throttled is a poll again.
      if (polled.state !== "throttled") answer = polled;
    } else return answer;
  }
  return answer;
};

export const make = (type: ProvidedType, call: Call): Promise<Answer> =>
  settled(
    (isRepeated) => createOnce(type, call, isRepeated),
    (physicalId, handle = call.token) =>
      type.poll?.({ ...call, physicalId, handle }) ?? type.create(call),
  );

export const unmake = (type: ProvidedType, made: Call, physicalId: string): Promise<Answer> => {
  const call = { ...made, action: "DELETE" as const, token: `${made.token}/delete`, physicalId };
  return settled(
    () => type.delete(call),
    (_, handle = call.token) => type.poll?.({ ...call, handle }) ?? type.delete(call),
  );
};

const wrongAfter = async (
  type: ProvidedType,
  what: string,
  answer: Answer,
  wanted: number,
): Promise<readonly string[]> => {
  const ids = (await type.list?.({})) ?? [];
  return [
    ...(answer.state === "finished" ? [] : [`${what}: ${JSON.stringify(answer)}`]),
    ...(ids.length === wanted ? [] : [`${what}: ${ids.length} objects, ${wanted} wanted`]),
  ];
};

export interface SpoiltCase {
  readonly type: string;
  readonly properties: JsonObject;
}

/** The object of each is the only one of its type. */
const spoilOne = async (
  direct: string,
  proxy: CuttingProxy,
  { type: name, properties }: SpoiltCase,
  plan: { readonly at: number; readonly fault: Fault; readonly action: "create" | "delete" },
): Promise<{ readonly wrong: readonly string[]; readonly spoilt: boolean }> => {
  const [spoilt, own] = [typeAt(proxy.socketPath, name), typeAt(direct, name)];
  const call = callOf(`spoilt/${name}/${plan.action}/${plan.at}/${plan.fault}`, { properties });
  if (plan.action === "create") proxy.spoil(plan.at, plan.fault);
  const made = await make(plan.action === "create" ? spoilt : own, call);
  await proxy.settle();
  const isSpoilt = proxy.seen.spoilt;
  const wrong = await wrongAfter(own, `${plan.fault} ${plan.at}`, made, 1);
  const id = "physicalId" in made ? made.physicalId : undefined;
  if (plan.action === "delete") proxy.spoil(plan.at, plan.fault);
  const gone = await unmake(plan.action === "delete" ? spoilt : own, call, id ?? "none");
  await proxy.settle();
  const left = await wrongAfter(own, `${plan.fault} ${plan.at}, deleted`, gone, 0);
  const wasSpoilt = plan.action === "create" ? isSpoilt : proxy.seen.spoilt;
  return { wrong: [...wrong, ...left], spoilt: wasSpoilt };
};

/** Every request of a creation and of a delete, with every fault. One result for each fault. */
export const playFaults = async (
  direct: string,
  proxy: CuttingProxy,
  one: SpoiltCase,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const action of ["create", "delete"] as const) {
    for (const fault of FAULTS) {
      const wrong: string[] = [];
      let at = 0;
      for (; at < REQUESTS_MAX; at += 1) {
        const seen = await spoilOne(direct, proxy, one, { at, fault, action });
        wrong.push(...seen.wrong);
        if (!seen.spoilt) break;
      }
      if (at === 0) wrong.push("no request was spoilt");
      results.push({ name: `${one.type}: ${action}, each of ${at} requests: ${fault}`, wrong });
    }
  }
  return results;
};

export const SPOILT_SERVER: SpoiltCase = { type: "OS::Nova::Server", properties: SERVER };
export const SPOILT_RECORDS: readonly SpoiltCase[] = [
  { type: "OS::Nova::KeyPair", properties: { name: "spoilt", save_private_key: true } },
  { type: "OS::Neutron::Net", properties: { name: "spoilt" } },
  { type: "OS::Cinder::Volume", properties: { size: 1 } },
];

/** A subnet and a port need a net. */
export const withNet = async (
  socketPath: string,
  cidr: string,
  use: (subnet: SpoiltCase, port: SpoiltCase) => Promise<readonly Result[]>,
): Promise<readonly Result[]> => {
  const net = typeAt(socketPath, "OS::Neutron::Net");
  const call = callOf("the net", { properties: { name: "front" } });
  const made = await make(net, call);
  const network = "physicalId" in made ? (made.physicalId ?? "") : "";
  const results = await use(
    { type: "OS::Neutron::Subnet", properties: { network, cidr } },
    { type: "OS::Neutron::Port", properties: { network } },
  );
  await unmake(net, call, network);
  return results;
};

export const playNetworkFaults = (
  direct: string,
  proxy: CuttingProxy,
  cidr: string,
): Promise<readonly Result[]> =>
  withNet(direct, cidr, async (subnet, port) => {
    const subnets = await playFaults(direct, proxy, subnet);
    const type = typeAt(direct, subnet.type);
    const call = callOf("the subnet", { properties: subnet.properties });
    const made = await make(type, call);
    const ports = await playFaults(direct, proxy, port);
    if ("physicalId" in made && made.physicalId !== undefined) {
      await unmake(type, call, made.physicalId);
    }
    return [...subnets, ...ports];
  });
