/** Plays the provider before moto, as Hearth calls it: the contract kit, and spoilt calls. */
import type { EC2 } from "@aws-sdk/client-ec2";
import { checkProvider } from "#provider/kit/check-provider.ts";
import type { JsonObject, ProvidedType, Provider } from "#provider/provider.ts";
import { readProvider } from "#provider/read-provider.ts";
import type { ServerSettings } from "#providers/cloud-control/account/roles.ts";
import { openEc2, type Pace } from "#providers/ec2/account.ts";
import { ec2Provider } from "#providers/ec2/ec2-provider.ts";
import { ROLE } from "../cloud-control/provider-at.ts";
import { callOf } from "../contract/provider-call.ts";
import { make, type Result, unmake } from "../contract/spoilt-operations.ts";
import { FAULTS, type Fault, type FaultsProxy } from "./faults-proxy.ts";

/** moto knows these images of AWS. */
export const IMAGE = "ami-12c6146b";
export const SETTINGS: ServerSettings = {
  images: { fedora: IMAGE },
  flavors: { small: "t3.small", large: "t3.large" },
};

const QUICK: Pace = { again: 0.02, poll: 0.02, settle: 0.1 };
const CALLS_MAX = 40;

export const providerAt = async (url: string) => {
  Object.assign(process.env, environmentFor(url));
  const account = await openEc2("demo", ROLE, SETTINGS, QUICK);
  const bootUserData = async ({ userData }: { userData: string }) => Buffer.from(userData);
  return ec2Provider({ accounts: () => account, settings: [SETTINGS], bootUserData });
};

export const environmentFor = (url: string): Record<string, string> => ({
  AWS_ENDPOINT_URL_EC2: url,
  AWS_ENDPOINT_URL_STS: url,
  AWS_ENDPOINT_URL_CLOUDCONTROL: url,
  AWS_ACCESS_KEY_ID: "AKIAHOST",
  AWS_SECRET_ACCESS_KEY: "host",
});

/** The kit takes what the interface of plug-ins has. */
const pluginAt = async (url: string): Promise<Provider> => {
  const { provider, name, types } = await providerAt(url);
  return readProvider({ provider, name, types });
};

export interface KitCase {
  readonly type: string;
  readonly properties: JsonObject;
  readonly changed?: JsonObject;
  readonly replacement?: JsonObject;
  readonly failing?: JsonObject;
}

const SERVER: JsonObject = { image: "fedora", flavor: "small", user_data: "#!/bin/sh\n" };
const SSH = { protocol: "tcp", port_range_min: 22, port_range_max: 22 };

export const KIT_CASES: readonly KitCase[] = [
  {
    type: "OS::Nova::KeyPair",
    properties: { name: "one", save_private_key: true },
    replacement: { name: "two" },
    failing: { name: "three", type: "x509" },
  },
  {
    type: "OS::Neutron::SecurityGroup",
    properties: { rules: [{ protocol: "icmp" }, SSH] },
    changed: { rules: [SSH, { direction: "egress", remote_mode: "remote_group_id" }] },
    failing: { rules: [{ remote_mode: "remote_group_id", remote_group_id: "nobody" }] },
  },
  {
    type: "OS::Nova::Server",
    properties: SERVER,
    changed: { ...SERVER, flavor: "large", metadata: { team: "one" }, tags: ["web"] },
    failing: { ...SERVER, image: "nobody" },
  },
];

/** The physical ids of what Hearth has made, by type. `ec2` asks moto itself. */
export const idsOf = async (ec2: EC2, type: string): Promise<readonly string[]> => {
  const Filters = [{ Name: "tag-key", Values: ["hearth:operation"] }];
  switch (type) {
    case "OS::Nova::KeyPair":
      return ((await ec2.describeKeyPairs({ Filters })).KeyPairs ?? []).map(
        ({ KeyName = "" }) => KeyName,
      );
    case "OS::Neutron::SecurityGroup":
      return ((await ec2.describeSecurityGroups({ Filters })).SecurityGroups ?? []).map(
        ({ GroupId = "" }) => GroupId,
      );
    case "OS::Nova::Server": {
      const { Reservations = [] } = await ec2.describeInstances({ Filters });
      return Reservations.flatMap(({ Instances = [] }) => Instances)
        .filter(({ State }) => State?.Name !== "terminated")
        .map(({ Tags = [] }) => Tags.find(({ Key }) => Key === "hearth:id")?.Value ?? "");
    }
    default:
      throw new Error(`nothing lists ${type}`);
  }
};

export const leftOver = async (ec2: EC2): Promise<readonly string[]> =>
  (await Promise.all(KIT_CASES.map(({ type }) => idsOf(ec2, type)))).flat();

export interface Place {
  readonly proxy: FaultsProxy;
  readonly ec2: EC2;
}

export const playKit = async (
  { proxy, ec2 }: Place,
  { type, ...options }: KitCase,
  title: string,
): Promise<readonly Result[]> => {
  const load = () => pluginAt(proxy.url);
  const list = () => idsOf(ec2, type);
  const found = await checkProvider({ ...options, type, load, list }, () => undefined);
  return found.map(({ name, verdict, text, calls }) => ({
    name: `${type}${title}: ${name}`,
    wrong: verdict === "failed" ? [text, ...calls] : [],
  }));
};

const typeIn = async (url: string, name: string): Promise<ProvidedType> => {
  const type = (await providerAt(url)).types[name];
  if (type === undefined) throw new Error(`the provider has no type ${name}`);
  return type;
};

/** One life, of which one call is spoilt. Null: there are fewer calls. */
const spoilOne = async (
  { proxy, ec2 }: Place,
  type: ProvidedType,
  { type: name, properties }: KitCase,
  { at, fault }: { readonly at: number; readonly fault: Fault },
): Promise<readonly string[] | null> => {
  const first = proxy.seen.calls;
  proxy.options.fault = (call) => (call - first === at ? fault : null);
  const call = callOf(`spoilt/${name}/${at}/${fault}`, { properties });
  const made = await make(type, call);
  const there = await idsOf(ec2, name);
  const id = "physicalId" in made ? (made.physicalId ?? "none") : "none";
  const gone = await unmake(type, call, id);
  const left = await idsOf(ec2, name);
  if (proxy.seen.calls - first <= at) return null;
  const what = `${fault} ${at}`;
  return [
    ...(made.state === "finished" ? [] : [`${what}: ${JSON.stringify(made)}`]),
    ...(there.length === 1 ? [] : [`${what}: ${there.length} objects`]),
    ...(gone.state === "finished" ? [] : [`${what}, deleted: ${JSON.stringify(gone)}`]),
    ...(left.length === 0 ? [] : [`${what}, deleted: ${left.length} objects`]),
  ];
};

/** Every call of a creation and of a delete is spoilt once in each way. */
export const playFaults = async (place: Place, one: KitCase): Promise<readonly Result[]> => {
  const type = await typeIn(place.proxy.url, one.type);
  const results: Result[] = [];
  for (const fault of FAULTS) {
    const wrong: string[] = [];
    let at = 0;
    for (; at < CALLS_MAX; at += 1) {
      const seen = await spoilOne(place, type, one, { at, fault });
      if (seen === null) break;
      wrong.push(...seen);
    }
    if (at === 0) wrong.push("no call was spoilt");
    results.push({ name: `${one.type}: each of ${at} calls ${fault}`, wrong });
  }
  place.proxy.options.fault = () => null;
  return results;
};
