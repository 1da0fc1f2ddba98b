/**
 * Plays the provider on the double or real services, as Hearth calls it: the contract kit for each
 * type, and every request of an operation spoilt once.
 */
import * as z from "zod/mini";
import { checkProvider } from "#provider/kit/check-provider.ts";
import type { Answer, JsonObject, ProvidedType, Provider } from "#provider/provider.ts";
import { readProvider } from "#provider/read-provider.ts";
import type { Credential } from "#providers/openstack/account/projects.ts";
import { openSession } from "#providers/openstack/account/session.ts";
import type { Pace } from "#providers/openstack/asked.ts";
import { type Cloud, readAnswer, type Service } from "#providers/openstack/cloud.ts";
import { METADATA, markIn } from "#providers/openstack/marks.ts";
import { openStackProvider } from "#providers/openstack/openstack-provider.ts";
import { callOf } from "../contract/provider-call.ts";
import {
  make,
  type Patience,
  playFaults,
  type Result,
  type Step,
  unmake,
} from "../contract/spoilt-operations.ts";
import { type SpoilingFetch, spoilingFetch } from "./spoiling-fetch.ts";

export interface Stage {
  readonly credential: Credential;
  readonly pace: Pace;
  readonly patience: Patience;
  /**
   * How late a held request is. It must be shorter than the time until an object is certainly
   * visible.
   */
  readonly holdMs: number;
  /**
   * Real services take seconds for a server, so only requests that change something are spoilt
   * there.
   */
  readonly spoilsReads: boolean;
}

const providerAt = ({ credential, pace }: Stage, send?: SpoilingFetch["send"]) => {
  const cloud = openSession(credential, send);
  return openStackProvider(() => cloud, pace);
};

export const typeAt = (stage: Stage, name: string, send?: SpoilingFetch["send"]): ProvidedType => {
  const type = providerAt(stage, send).types[name];
  if (type === undefined) throw new Error(`the provider has no type ${name}`);
  return type;
};

const pluginAt = async (stage: Stage): Promise<Provider> => {
  const { provider, name, types } = providerAt(stage);
  return readProvider({ provider, name, types });
};

/** `idOf` returns null for an object that is not Hearth's. */
interface Listing {
  readonly service: Service;
  readonly path: string;
  readonly idOf: (found: JsonObject) => string | null;
}

const metadataOf = ({ metadata }: JsonObject): string | null => {
  const read = z.safeParse(z.looseObject({ [METADATA.id]: z.string() }), metadata);
  return read.success ? String(read.data[METADATA.id]) : null;
};

const described = (path: string): Listing => ({
  service: "network",
  path,
  idOf: ({ id, description }) => (markIn(description) === null ? null : String(id)),
});

const keyIn = z.object({ keypair: z.object({ name: z.string(), public_key: z.string() }) });

const LISTINGS: Readonly<Record<string, Listing>> = {
  "OS::Nova::Server": { service: "compute", path: "/servers/detail", idOf: metadataOf },
  "OS::Nova::KeyPair": {
    service: "compute",
    path: "/os-keypairs",
    idOf: (found) => {
      const { name, public_key: key } = keyIn.parse(found).keypair;
      return markIn(key.trim()) === null ? null : name;
    },
  },
  "OS::Neutron::Net": described("/networks"),
  "OS::Neutron::Subnet": described("/subnets"),
  "OS::Neutron::Port": described("/ports"),
  "OS::Neutron::Router": described("/routers"),
  "OS::Neutron::FloatingIP": described("/floatingips"),
  "OS::Neutron::SecurityGroup": described("/security-groups"),
  "OS::Neutron::SecurityGroupRule": described("/security-group-rules"),
  "OS::Cinder::VolumeAttachment": {
    service: "volume",
    path: "/volumes/detail",
    idOf: ({ id, attachments }) => {
      const [first] = z.array(z.looseObject({ server_id: z.string() })).parse(attachments);
      return first === undefined ? null : `${first.server_id}:${id}`;
    },
  },
  "OS::Cinder::Volume": {
    service: "volume",
    path: "/volumes/detail",
    idOf: (found) => (metadataOf(found) === null ? null : String(found["id"])),
  },
};

const lists = z.record(z.string(), z.json());
const items = z.array(z.record(z.string(), z.json()));

/** A list may leave a new object out once or twice. */
const LISTS = 3;

const listAt = async (cloud: Cloud, { service, path, idOf }: Listing): Promise<string[]> => {
  let ids: string[] = [];
  for (let count = 0; count < LISTS; count += 1) {
    const signal = AbortSignal.timeout(60_000);
    const answer = await cloud.ask({ service, method: "GET", path, signal });
    const [list] = Object.values(readAnswer(lists, answer)).filter(Array.isArray);
    ids = items.parse(list).flatMap((one) => idOf(one) ?? []);
  }
  return ids;
};

export const leftOver = async ({ credential }: Stage): Promise<readonly string[]> => {
  const cloud = openSession(credential);
  const found: string[] = [];
  for (const [type, listing] of Object.entries(LISTINGS)) {
    for (const id of await listAt(cloud, listing)) found.push(`${type} ${id}`);
  }
  return found;
};

const listingOf = (type: string): Listing => {
  const listing = LISTINGS[type];
  if (listing === undefined) throw new Error(`${type} is not listed`);
  return listing;
};

export interface PlayCase {
  readonly type: string;
  readonly properties: JsonObject;
  readonly changed?: JsonObject;
  readonly replacement?: JsonObject;
  readonly failing?: JsonObject;
}

const SERVER: JsonObject = { image: "cirros", flavor: "m1.tiny" };
const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHvXW4Vj1vNqWvWxS5bC0wJm7Z5m3oXl1b1Zt4oEw9kR one";

export interface Fixture {
  readonly network: string;
  readonly group: string;
}

export const CASES = ({ network, group }: Fixture): readonly PlayCase[] => [
  {
    type: "OS::Nova::KeyPair",
    properties: { name: "kit-one", public_key: KEY },
    replacement: { name: "kit-two", save_private_key: true },
    failing: { name: "kit-three", type: "x509" },
  },
  {
    type: "OS::Neutron::Net",
    properties: { name: "front" },
    changed: { name: "back", tags: ["blue"] },
    failing: { name: "front", tenant_id: "other" },
  },
  {
    type: "OS::Neutron::SecurityGroup",
    properties: {
      name: "web",
      description: "Web",
      rules: [{ protocol: "tcp", port_range_min: 80, port_range_max: 80 }],
    },
    changed: {
      name: "web",
      rules: [{ protocol: "icmp" }, { direction: "egress", protocol: "udp" }],
    },
    failing: { name: "web", rules: [{ remote_group_id: "nonesuch" }] },
  },
  {
    type: "OS::Neutron::SecurityGroupRule",
    properties: { security_group: group, protocol: "tcp", port_range_min: 22, port_range_max: 22 },
    replacement: { security_group: group, protocol: "icmp" },
    failing: { security_group: "nonesuch" },
  },
  {
    type: "OS::Neutron::Port",
    properties: { network, security_groups: [group] },
    changed: { network, name: "changed", security_groups: [] },
    failing: { network: "nonesuch" },
  },
  { type: "OS::Neutron::Router", properties: { name: "edge" }, changed: { name: "core" } },
  {
    type: "OS::Neutron::FloatingIP",
    properties: { floating_network: "public" },
    failing: { floating_network: "nonesuch" },
  },
  {
    type: "OS::Cinder::Volume",
    properties: { size: 1, metadata: { a: "b" } },
    changed: { size: 2, name: "changed" },
    failing: { size: 1, image: "nonesuch" },
  },
  {
    type: "OS::Nova::Server",
    properties: { ...SERVER, networks: [{ network }] },
    changed: {
      ...SERVER,
      networks: [{ network }],
      name: "changed",
      metadata: { a: "b" },
      tags: ["t"],
    },
    failing: { ...SERVER, image: "nonesuch", networks: [{ network }] },
  },
];

export const SUBNET_CASE = (network: string): PlayCase => ({
  type: "OS::Neutron::Subnet",
  properties: { network, cidr: "10.31.0.0/24" },
  changed: { network, cidr: "10.31.0.0/24", dns_nameservers: ["192.0.2.1"], name: "changed" },
  failing: { network: "nonesuch", cidr: "10.31.0.0/24" },
});

/** The update keeps the volume at its server but changes the device. */
export const DEVICE_CASE = (server: string, volume: string): PlayCase => {
  const at = (mountpoint: string): JsonObject => ({
    instance_uuid: server,
    volume_id: volume,
    mountpoint,
  });
  return {
    type: "OS::Cinder::VolumeAttachment",
    properties: at("/dev/vdb"),
    changed: at("/dev/vdc"),
  };
};

export const ATTACHMENT_CASE = (
  [server, otherServer]: readonly [string, string],
  [volume, otherVolume]: readonly [string, string],
): PlayCase => ({
  type: "OS::Cinder::VolumeAttachment",
  properties: { instance_uuid: server, volume_id: volume, mountpoint: "/dev/vdb" },
  changed: { instance_uuid: otherServer, volume_id: volume, mountpoint: "/dev/vdc" },
  replacement: { instance_uuid: otherServer, volume_id: otherVolume },
  failing: { instance_uuid: "nonesuch", volume_id: volume },
});

export const PLAYED_TYPES: readonly string[] = [
  ...new Set(
    [
      ...CASES({ network: "", group: "" }),
      SUBNET_CASE(""),
      ATTACHMENT_CASE(["", ""], ["", ""]),
    ].map(({ type }) => type),
  ),
];

export const playKit = async (
  stage: Stage,
  { type, ...options }: PlayCase,
): Promise<readonly Result[]> => {
  const cloud = openSession(stage.credential);
  const list = () => listAt(cloud, listingOf(type));
  const load = () => pluginAt(stage);
  const operationSecondsMax = 120;
  const given = { ...options, type, load, list, operationSecondsMax };
  const found = await checkProvider(given, () => undefined);
  return found.map(({ name, verdict, text, calls }) => ({
    name: `${type}: ${name}`,
    wrong: verdict === "failed" ? [text, ...calls] : [],
  }));
};

/** Where only changes are spoilt, an operation has so many of them. */
const WRITES_MAX = 2;

export interface SpoiltPart {
  readonly steps?: readonly Step[];
  readonly inTurn?: boolean;
}

export const playSpoilt = async (
  stage: Stage,
  { type: name, properties, changed }: PlayCase,
  { steps, inTurn }: SpoiltPart = {},
): Promise<{ readonly results: readonly Result[]; readonly faults: number }> => {
  const spoiler = spoilingFetch(stage.holdMs, (method) => stage.spoilsReads || method !== "GET");
  const cloud = openSession(stage.credential);
  const before = (await listAt(cloud, listingOf(name))).length;
  const results = await playFaults(
    {
      name,
      own: typeAt(stage, name),
      spoilt: typeAt(stage, name, spoiler.send),
      properties,
      changed,
      steps,
      inTurn,
      count: async () => (await listAt(cloud, listingOf(name))).length - before,
      patience: stage.patience,
      ...(stage.spoilsReads ? {} : { requestsMax: WRITES_MAX }),
    },
    spoiler,
  );
  const faults = [...spoiler.faults.values()].reduce((sum, count) => sum + count, 0);
  return { results, faults };
};

const idIn = (answer: Answer): string => {
  if (answer.state === "finished" && answer.physicalId !== undefined) return answer.physicalId;
  throw new Error(`it was not made: ${JSON.stringify(answer)}`);
};

export const withOne = async <Found>(
  stage: Stage,
  { type: name, properties }: PlayCase,
  use: (id: string) => Promise<Found>,
): Promise<Found> => {
  const type = typeAt(stage, name);
  const call = callOf(`one/${name}/${Date.now()}`, { properties });
  const id = idIn(await make(type, call, stage.patience));
  try {
    return await use(id);
  } finally {
    await unmake(type, call, id, stage.patience);
  }
};

export const withFixture = <Found>(
  stage: Stage,
  use: (fixture: Fixture) => Promise<Found>,
): Promise<Found> =>
  withOne(stage, { type: "OS::Neutron::Net", properties: { name: "fixture" } }, (network) =>
    withOne(
      stage,
      { type: "OS::Neutron::Subnet", properties: { network, cidr: "10.30.0.0/24" } },
      () =>
        withOne(
          stage,
          { type: "OS::Neutron::SecurityGroup", properties: { name: "fixture" } },
          (group) => use({ network, group }),
        ),
    ),
  );

export const withAttachable = <Found>(
  stage: Stage,
  use: (servers: readonly [string, string], volumes: readonly [string, string]) => Promise<Found>,
): Promise<Found> => {
  const server = { type: "OS::Nova::Server", properties: { ...SERVER, networks: [] } };
  const volume = { type: "OS::Cinder::Volume", properties: { size: 1 } };
  const withTwo = (one: PlayCase, then: (pair: readonly [string, string]) => Promise<Found>) =>
    withOne(stage, one, (first) => withOne(stage, one, (second) => then([first, second])));
  return withTwo(server, (servers) => withTwo(volume, (volumes) => use(servers, volumes)));
};
