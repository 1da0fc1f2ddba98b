/**
 * What the provider relies on in an engine: effects rather than statuses. The double, Docker and
 * Podman all pass it.
 */
import type { Engine } from "#providers/docker/engine/client.ts";
import { isSuccess } from "#providers/docker/engine/client.ts";
import { containersOf } from "#providers/docker/engine/containers.ts";
import { networksOf } from "#providers/docker/engine/networks.ts";
import { volumesOf } from "#providers/docker/engine/volumes.ts";
import type { Result } from "../contract/spoilt-operations.ts";
import { BARE_IMAGE } from "./provider-play.ts";

const NAME = "hearth-suite";
const AT_ONCE = 8;
const LABELS = { "hearth.suite": "one" };
const MORE_LABELS = { ...LABELS, "hearth.other": "one" };
const SLEEP = { Entrypoint: ["/bin/sh", "-c", "trap 'exit 0' TERM; while :; do sleep 1; done"] };

const many = <T>(ask: () => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, ask));

type Check = (engine: Engine, hostConfig: object) => Promise<readonly string[]>;

const differs = (what: string, seen: unknown, wanted: unknown): readonly string[] =>
  JSON.stringify(seen) === JSON.stringify(wanted)
    ? []
    : [`${what}: ${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}`];

const spec = (hostConfig: object, labels: object = LABELS) => ({
  Image: BARE_IMAGE,
  ...SLEEP,
  Labels: labels,
  HostConfig: { NetworkMode: "none", ...hostConfig },
});

const containerNames: Check = async (engine, host) => {
  const containers = containersOf(engine);
  const answers = await many(() => containers.create(NAME, spec(host)));
  const made = answers.filter(isSuccess).length;
  const again = await containers.create(NAME, spec(host, { "hearth.suite": "two" }));
  const listed = await containers.list(LABELS);
  const removed = await many(() => containers.remove(NAME).catch(() => false));
  while (!(await containers.remove(NAME))) await new Promise((go) => setTimeout(go, 50));
  return [
    ...differs("of several creations at once", made, 1),
    ...differs("a second creation succeeds", isSuccess(again), false),
    ...differs(
      "listed",
      listed.map(({ labels }) => labels["hearth.suite"]),
      ["one"],
    ),
    ...differs("some removal succeeds", removed.includes(true), true),
    ...differs("left", await containers.inspect(NAME), null),
  ];
};

const startsAndStops: Check = async (engine, host) => {
  const containers = containersOf(engine);
  await containers.create(NAME, spec(host));
  const starts = [await containers.start(NAME), await containers.start(NAME)].map(isSuccess);
  const running = (await containers.inspect(NAME))?.State.Status;
  const stops = [await containers.stop(NAME), await containers.stop(NAME)].map(isSuccess);
  const stopped = (await containers.inspect(NAME))?.State.Status;
  await containers.remove(NAME);
  return [
    ...differs("start twice", starts, [true, true]),
    ...differs("then it is", running, "running"),
    ...differs("stop twice", stops, [true, true]),
    ...differs("then it is", stopped, "exited"),
    ...differs("a start of none", isSuccess(await containers.start(NAME)), false),
  ];
};

const filesBeforeTheStart: Check = async (engine, host) => {
  const containers = containersOf(engine);
  await containers.create(NAME, spec(host));
  const shell = await containers.hasFile(NAME, "/bin/sh");
  const other = await containers.hasFile(NAME, "/nonesuch");
  const file = { path: "/var/lib/suite/file", text: "text", mode: 0o600 };
  await containers.putFiles(NAME, [file]);
  await containers.putFiles(NAME, [file]);
  const read = await containers.readFile(NAME, file.path);
  const missing = await containers.readFile(NAME, "/nonesuch");
  await containers.remove(NAME);
  return [
    ...differs("files", { shell, other }, { shell: true, other: false }),
    ...differs("read", { read, missing }, { read: file.text, missing: null }),
  ];
};

const missingImage: Check = async (engine, host) => {
  const containers = containersOf(engine);
  const given = { ...spec(host), Image: "hearth-test/nonesuch:1" };
  const answer = await containers.create(NAME, given);
  return [
    ...differs("its creation succeeds", isSuccess(answer), false),
    ...differs("left", await containers.inspect(NAME), null),
  ];
};

const volumeNames: Check = async (engine) => {
  const volumes = volumesOf(engine);
  const made = await many(() => volumes.create(NAME, LABELS));
  const again = await volumes.create(NAME, { "hearth.suite": "two" });
  const listed = await volumes.list(LABELS);
  const other = await volumes.list({ "hearth.suite": "two" });
  const both = await volumes.list(MORE_LABELS);
  const removed = [await volumes.remove(NAME), await volumes.remove(NAME)];
  return [
    ...differs("made", new Set(made.map(({ Name }) => Name)).size, 1),
    ...differs("the labels of a second one", again.Labels, LABELS),
    ...differs(
      "listed",
      [listed, other, both].map(({ length }) => length),
      [1, 0, 0],
    ),
    ...differs("removed twice", removed, [true, true]),
    ...differs("left", await volumes.inspect(NAME), null),
  ];
};

const volumesInUse: Check = async (engine, host) => {
  const [containers, volumes] = [containersOf(engine), volumesOf(engine)];
  await volumes.create(NAME, LABELS);
  const mount = { Type: "volume", Source: NAME, Target: "/mnt/suite" };
  await containers.create(NAME, spec({ ...host, Mounts: [mount] }));
  const inUse = await volumes.remove(NAME).catch(() => false);
  await containers.remove(NAME);
  const after = await volumes.remove(NAME);
  return differs("removed in use, and then", [inUse, after], [false, true]);
};

const SUBNET = "10.86.0.0/24";
const network = (name: string) => ({
  Name: name,
  CheckDuplicate: true,
  Driver: "bridge",
  Labels: LABELS,
  IPAM: { Driver: "default", Config: [{ Subnet: SUBNET, Gateway: "10.86.0.1" }] },
});

const subnetsAreExclusive: Check = async (engine) => {
  const networks = networksOf(engine);
  const answers = await many(() => networks.create(network(NAME)));
  const other = await networks.create(network(`${NAME}-other`));
  const found = await networks.list(LABELS);
  const [one] = found;
  const subnet = one?.IPAM.Config?.[0]?.Subnet;
  for (const { Id } of found) await networks.remove(Id);
  return [
    ...differs("of several creations at once", answers.filter(isSuccess).length, 1),
    ...differs("one of another name", isSuccess(other), false),
    ...differs("found by its label", [found.length, subnet], [1, SUBNET]),
    ...differs("left", (await networks.list(LABELS)).length, 0),
  ];
};

const addressesAndUse: Check = async (engine, host) => {
  const [containers, networks] = [containersOf(engine), networksOf(engine)];
  await networks.create(network(NAME));
  const [made] = await networks.list(LABELS);
  const given = { [NAME]: { IPAMConfig: { IPv4Address: "10.86.0.77" } } };
  await containers.create(NAME, {
    ...spec({ ...host, NetworkMode: NAME }),
    NetworkingConfig: { EndpointsConfig: given },
  });
  await containers.start(NAME);
  const endpoints = (await containers.inspect(NAME))?.NetworkSettings.Networks ?? {};
  const [listed] = await containers.list(LABELS);
  const inUse = made && (await networks.remove(made.Id));
  await containers.remove(NAME);
  const after = made && (await networks.remove(made.Id));
  return [
    ...differs("the address", endpoints[NAME]?.IPAddress, "10.86.0.77"),
    ...differs("listed", listed?.addresses, ["10.86.0.77"]),
    ...differs("removed in use, and then", [inUse, after], ["in use", "gone"]),
  ];
};

const SECOND = `${NAME}-second`;
const ADDRESS = "10.86.0.77";
const ENDPOINT = { IPAMConfig: { IPv4Address: ADDRESS } };

/** If a start was refused, Podman can only create the container again. */
const startSecond = async (engine: Engine, given: object): Promise<string | undefined> => {
  const containers = containersOf(engine);
  await containers.remove(SECOND);
  await containers.create(SECOND, { ...given });
  await containers.start(SECOND);
  return (await containers.inspect(SECOND))?.NetworkSettings.Networks?.[NAME]?.IPAddress;
};

const addressesMove: Check = async (engine, host) => {
  const [containers, networks] = [containersOf(engine), networksOf(engine)];
  await networks.create(network(NAME));
  const id = (await networks.list(LABELS))[0]?.Id ?? "";
  const given = {
    ...spec({ ...host, NetworkMode: NAME }),
    NetworkingConfig: { EndpointsConfig: { [NAME]: ENDPOINT } },
  };
  const look = async () => {
    const found = await containers.inspect(NAME);
    const address = found?.NetworkSettings.Networks?.[NAME]?.IPAddress ?? "";
    return [found?.State.Status, address];
  };
  await containers.create(NAME, given);
  await containers.start(NAME);
  const refused = await startSecond(engine, given);
  const gives = isSuccess(await networks.disconnect(id, NAME));
  const without = await look();
  const taken = await startSecond(engine, given);
  const early = isSuccess(await networks.connect(id, NAME, ENDPOINT));
  // Podman keeps a connection that it has refused.
  await networks.disconnect(id, NAME);
  await containers.remove(SECOND);
  const back = isSuccess(await networks.connect(id, NAME, ENDPOINT));
  await networks.connect(id, NAME, ENDPOINT);
  const again = await look();
  await containers.remove(NAME);
  await networks.remove(id);
  return [
    ...differs("while the first one has it", refused ?? "", ""),
    ...differs("given up", [gives, without], [true, ["running", ""]]),
    ...differs("the second one has it", taken, ADDRESS),
    ...differs("back while the second one has it, and then", [early, back], [false, true]),
    ...differs("connected twice", again, ["running", ADDRESS]),
    ...differs("left", await containers.inspect(SECOND), null),
  ];
};

const CHECKS: Readonly<Record<string, Check>> = {
  "a container's name is taken once": containerNames,
  "a start and a stop may be repeated": startsAndStops,
  "files go in before the start": filesBeforeTheStart,
  "without the image nothing is made": missingImage,
  "a volume's name is taken once, and keeps its first labels": volumeNames,
  "a volume in use stays": volumesInUse,
  "a subnet is taken once": subnetsAreExclusive,
  "a container has the address that is asked for, and its network stays": addressesAndUse,
  "a running container gives its address up, and gets it back": addressesMove,
};

export const playEngine = async (
  engine: Engine,
  hostConfig: object = {},
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    // A check that failed may have left its container.
    for (const left of [NAME, SECOND]) await containersOf(engine).remove(left);
    const wrong = await check(engine, hostConfig).catch((error: unknown) => [String(error)]);
    results.push({ name, wrong });
  }
  return results;
};
