/**
 * Finds what somebody else can change in an existing container: networks, addresses, limits and the
 * restart policy. The engine allows no change of image, files, mounts or labels.
 */
import type { Answer, ObjectCall } from "#provider/provider.ts";
import type { At, BackEnd } from "../back-end.ts";
import { isSuccess, messageOf } from "../engine/client.ts";
import type { Container } from "../engine/containers.ts";
import { givenAway, isAt } from "./address-handover.ts";
import { endpointSpec, limitsOf, RESTART_POLICY, serverName } from "./plan-server.ts";
import {
  type Endpoint,
  type Endpoints,
  endpointsOf,
  isFixed,
  withKeptAddresses,
} from "./server-networks.ts";

const wantedOf = async (at: At<ObjectCall>): Promise<Endpoints> => {
  const places = await endpointsOf(at);
  if (places.state !== "found") return places;
  const { physicalId: id } = at.call;
  const isGiven = await givenAway(at, id);
  const kept = await withKeptAddresses(at, id, places.endpoints);
  const endpoints = kept.filter((endpoint) => !isFixed(endpoint) || !isGiven(endpoint));
  return { ...places, endpoints };
};

/** Podman 4.3 puts the name of a network in the place of its id. */
const isJoined = ({ NetworkSettings: { Networks } }: Container, { network }: Endpoint): boolean =>
  Object.entries(Networks ?? {}).some(
    ([name, { NetworkID: id }]) => name === network.Name || id === network.Id,
  );

const isInPlace = (container: Container, endpoint: Endpoint): boolean =>
  isJoined(container, endpoint) &&
  (!isFixed(endpoint) || container.State.Status !== "running" || isAt(container, endpoint));

const whyElsewhere = async (
  at: At<ObjectCall>,
  container: Container,
): Promise<readonly string[]> => {
  const wanted = await wantedOf(at);
  if (wanted.state === "waiting") return ["a network of it is gone"];
  if (wanted.state === "failed") return [wanted.why];
  return wanted.endpoints.flatMap((endpoint) => {
    if (isInPlace(container, endpoint)) return [];
    const { network, address } = endpoint;
    return isJoined(container, endpoint)
      ? [`it has another address than ${address} in the network ${network.Name}`]
      : [`it is not in the network ${network.Name}`];
  });
};

/** 0 means that the engine has no limit or does not report it. */
const isOther = (live: number | null | undefined, wanted: number | undefined): boolean =>
  wanted !== undefined && typeof live === "number" && live !== 0 && live !== wanted;

export const whyLimited = (call: ObjectCall, { HostConfig }: Container): readonly string[] => {
  const { Memory: memory, CpuPeriod: period, CpuQuota: quota } = limitsOf(call);
  const { Memory, CpuPeriod, CpuQuota, RestartPolicy } = HostConfig;
  const restarts = RestartPolicy?.Name ?? "";
  return [
    ...(isOther(Memory, memory) ? ["it has another limit of memory"] : []),
    ...(isOther(CpuPeriod, period) || isOther(CpuQuota, quota)
      ? ["it has another limit of processors"]
      : []),
    ...(restarts === "" || restarts === RESTART_POLICY.Name
      ? []
      : [`it starts again by the policy ${restarts}`]),
  ];
};

export const whatDiffers = async (
  at: At<ObjectCall>,
  container: Container,
): Promise<readonly string[]> => [
  ...(await whyElsewhere(at, container)),
  ...whyLimited(at.call, container),
];

/** The engine does not start a container that names a deleted network. */
const forgetGoneNetworks = async (
  { networks }: BackEnd,
  name: string,
  { NetworkSettings: { Networks } }: Container,
): Promise<void> => {
  for (const [network, { NetworkID: id }] of Object.entries(Networks ?? {})) {
    const isGone = (await networks.inspect(id === "" ? network : id)) === null;
    if (isGone && (await networks.inspect(network)) === null) await networks.forget(network, name);
  }
};

const LOOKS_SECONDS = 1;
/** The same update may be creating the network. After 30 seconds it is assumed not to. */
const LOOKS_MAX = 30;

const awaitNet = (call: ObjectCall, net: string, handle: string): Answer => {
  const looks = Number(handle);
  if (looks < LOOKS_MAX) {
    const { physicalId } = call;
    const next = String(looks + 1);
    return { state: "waiting", physicalId, handle: next, pollAfterSeconds: LOOKS_SECONDS };
  }
  const reason = `its network ${net} is gone; "hearth stack repair ${call.stackName}" makes it anew`;
  return { state: "failed", reason };
};

/** Returns null if it is in its networks. `handle` is null if nothing is creating one. */
export const rejoinNetworks = async (
  at: At<ObjectCall>,
  container: Container,
  handle: string | null,
): Promise<Answer | null> => {
  const wanted = await wantedOf(at);
  if (wanted.state === "waiting") return awaitNet(at.call, wanted.net, handle ?? String(LOOKS_MAX));
  if (wanted.state === "failed") return { state: "failed", reason: wanted.why };
  const name = serverName(at.call.physicalId);
  await forgetGoneNetworks(at, name, container);
  for (const endpoint of wanted.endpoints) {
    if (isInPlace(container, endpoint)) continue;
    const { networks } = at;
    const { Id: id } = endpoint.network;
    if (isJoined(container, endpoint)) await networks.disconnect(id, name);
    const answer = await networks.connect(id, name, endpointSpec(endpoint));
    if (!isSuccess(answer)) return { state: "failed", reason: `Docker: ${messageOf(answer)}` };
  }
  return null;
};
