import type { EC2 } from "@aws-sdk/client-ec2";
import { checkProvider } from "#provider/kit/check-provider.ts";
import type { ProvidedType, Provider } from "#provider/provider.ts";
import { readProvider } from "#provider/read-provider.ts";
import type { ServerSettings } from "#providers/cloud-control/account/roles.ts";
import type { Pace } from "#providers/ec2/account.ts";
import { ec2Provider } from "#providers/ec2/ec2-provider.ts";
import { openEc2 } from "#providers/ec2/open-ec2.ts";
import { ROLE } from "../cloud-control/provider-at.ts";
import { callOf } from "../contract/provider-call.ts";
import { change, make, type Result, unmake } from "../contract/spoilt-operations.ts";
import { FAULTS, type Fault, type FaultsProxy } from "./faults-proxy.ts";
import type { KitCase } from "./kit-cases.ts";
import { idsOf } from "./made-objects.ts";

/** AWS's images that moto knows. */
export const IMAGE = "ami-12c6146b";
export const SETTINGS: ServerSettings = {
  images: { fedora: IMAGE },
  flavors: { small: "t3.small", large: "t3.large" },
};

const QUICK: Pace = { again: 0.02, poll: 0.02, settle: 0.1 };

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

const pluginAt = async (url: string): Promise<Provider> => {
  const { provider, name, types } = await providerAt(url);
  return readProvider({ provider, name, types });
};

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

interface Spoilt {
  readonly at: number;
  readonly fault: Fault;
}

const live = async (
  { proxy, ec2 }: Place,
  type: ProvidedType,
  { type: name, properties, changed }: KitCase,
  spoilt: Spoilt | null,
): Promise<readonly string[]> => {
  const first = proxy.seen.calls;
  proxy.options.fault = (call) => (call - first === spoilt?.at ? spoilt.fault : null);
  const what = spoilt === null ? "unspoilt" : `${spoilt.fault} ${spoilt.at}`;
  const call = callOf(`spoilt/${name}/${what}`, { properties });
  const made = await make(type, call);
  const there = await idsOf(ec2, name);
  const id = "physicalId" in made ? (made.physicalId ?? "none") : "none";
  const to = changed ?? properties;
  const updated = await change(type, call, { physicalId: id, properties: to });
  const stayed = await idsOf(ec2, name);
  const gone = await unmake(type, { ...call, properties: to, previousProperties: properties }, id);
  const left = await idsOf(ec2, name);
  return [
    ...(made.state === "finished" ? [] : [`${what}: ${JSON.stringify(made)}`]),
    ...(there.length === 1 ? [] : [`${what}: ${there.length} objects`]),
    ...(updated.state === "finished" ? [] : [`${what}, updated: ${JSON.stringify(updated)}`]),
    ...(stayed.length === 1 ? [] : [`${what}, updated: ${stayed.length} objects`]),
    ...(gone.state === "finished" ? [] : [`${what}, deleted: ${JSON.stringify(gone)}`]),
    ...(left.length === 0 ? [] : [`${what}, deleted: ${left.length} objects`]),
  ];
};

export const playMarked = async (
  { proxy, ec2 }: Place,
  { type: name, properties }: KitCase,
): Promise<readonly Result[]> => {
  const type = await typeIn(proxy.url, name);
  if (type.marked === undefined) return [];
  const call = callOf(`marked/${name}`, { properties });
  const made = await make(type, call);
  const id = "physicalId" in made ? (made.physicalId ?? "none") : "none";
  const there = (await idsOf(ec2, name)).toSorted();
  const marks = await type.marked("demo");
  const listed = marks.map(({ physicalId }) => physicalId).toSorted();
  const own = marks.find(({ physicalId }) => physicalId === id);
  await unmake(type, call, id);
  const wrong = [
    ...(listed.join() === there.join() ? [] : [`listed: ${listed}, there: ${there}`]),
    ...(own?.resourceName === call.resourceName ? [] : [`its mark: ${JSON.stringify(own)}`]),
  ];
  return [{ name: `${name}: is listed by its mark`, wrong }];
};

interface OneCall {
  readonly at: number;
  readonly isLook: boolean;
}

/**
 * Each call of a creation, an update and a delete. Between two changes, a read of one kind is
 * spoilt only once, because the operation goes on from the same state after each read.
 */
const callsOf = async (
  place: Place,
  type: ProvidedType,
  one: KitCase,
): Promise<readonly OneCall[]> => {
  const first = place.proxy.seen.calls;
  const wrong = await live(place, type, one, null);
  if (wrong.length > 0) throw new Error(`${one.type}: ${wrong.join(", ")}`);
  const looks = new Set<string>();
  return place.proxy.seen.actions.slice(first).flatMap((action, at) => {
    const isLook = action.startsWith("Describe");
    const isKnown = looks.has(action);
    if (isLook) looks.add(action);
    else looks.clear();
    return isLook && isKnown ? [] : [{ at, isLook }];
  });
};

/** Reads have no effect, so they are only throttled. */
export const playFaults = async (place: Place, one: KitCase): Promise<readonly Result[]> => {
  const type = await typeIn(place.proxy.url, one.type);
  const all = await callsOf(place, type, one);
  const results: Result[] = [];
  for (const fault of FAULTS) {
    const calls = all.filter(({ isLook }) => !isLook || fault === "throttled");
    const wrong = calls.length === 0 ? ["no call was spoilt"] : [];
    for (const { at } of calls) wrong.push(...(await live(place, type, one, { at, fault })));
    results.push({ name: `${one.type}: each of ${calls.length} calls ${fault}`, wrong });
  }
  place.proxy.options.fault = () => null;
  return results;
};
