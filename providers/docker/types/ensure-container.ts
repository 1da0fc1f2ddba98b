/**
 * Creates and starts a container, whatever an earlier call has left. Repeating a call does not
 * repair some states of an engine: a name without a container, a half removed container, and one
 * that cannot start.
 */

import type { BackEnd } from "../back-end.ts";
import { type EngineAnswer, isSuccess, messageOf, SERVER_ERROR } from "../engine/client.ts";
import type { Container, ContainerSpec } from "../engine/containers.ts";
import type { PackedFile } from "../engine/tar.ts";
import { isOf } from "../objects.ts";

export interface WantedContainer {
  readonly name: string;
  readonly token: string;
  readonly spec: ContainerSpec;
  readonly mustHave: readonly { readonly anyOf: readonly string[]; readonly why: string }[];
  readonly files: readonly PackedFile[];
  readonly connections: readonly { readonly network: string; readonly endpoint: ContainerSpec }[];
}

export type Ensured =
  | { readonly state: "running"; readonly container: Container }
  /** Another call is making the container, or the engine is removing it. */
  | { readonly state: "busy" }
  | { readonly state: "failed"; readonly why: string };

const BUSY = { state: "busy" } as const;

const failed = (answer: EngineAnswer): Extract<Ensured, { state: "failed" }> => ({
  state: "failed",
  why: messageOf(answer),
});

type Present = Container | Exclude<Ensured, { state: "running" }>;

const isContainer = (found: Present): found is Container => "Id" in found;

/** The name is taken although no container exists: another call is making it. */
const isTaken = (answer: EngineAnswer): boolean => /in use|conflict/i.test(messageOf(answer));

const present = async ({ containers }: BackEnd, wanted: WantedContainer): Promise<Present> => {
  const { name, spec } = wanted;
  let answer = await containers.create(name, spec);
  let found = await containers.inspect(name);
  if (found === null && !isSuccess(answer) && isTaken(answer)) {
    // In Podman the storage or the database may still have the name. A removal frees it.
    await containers.remove(name);
    answer = await containers.create(name, spec);
    found = await containers.inspect(name);
  }
  if (found === null) return isSuccess(answer) || isTaken(answer) ? BUSY : failed(answer);
  if (isOf(found.Config.Labels, wanted)) return found;
  return { state: "failed", why: `the name ${name} is another container's` };
};

const whyLacking = async (
  { containers }: BackEnd,
  { name, mustHave }: WantedContainer,
): Promise<string | null> => {
  for (const { anyOf, why } of mustHave) {
    let isThere = false;
    for (const path of anyOf) isThere ||= await containers.hasFile(name, path);
    if (!isThere) return why;
  }
  return null;
};

const prepare = async (backEnd: BackEnd, wanted: WantedContainer): Promise<Ensured | null> => {
  const lacking = await whyLacking(backEnd, wanted);
  if (lacking !== null) return { state: "failed", why: lacking };
  await backEnd.containers.putFiles(wanted.name, wanted.files);
  for (const { network, endpoint } of wanted.connections) {
    const answer = await backEnd.networks.connect(network, wanted.name, endpoint);
    if (isSuccess(answer)) continue;
    const now = await backEnd.containers.inspect(wanted.name);
    const ids = Object.values(now?.NetworkSettings.Networks ?? {}).map((one) => one.NetworkID);
    const names = Object.keys(now?.NetworkSettings.Networks ?? {});
    if (!ids.includes(network) && !names.includes(network)) return failed(answer);
  }
  return null;
};

export const ENDING: readonly string[] = ["dead", "removing", "stopping"];

/** Docker and Podman say this about a start that outlived a killed engine. */
const HAS_OLD_START = /(?:task|container) \S+:? already exists/;

const started = async (
  backEnd: BackEnd,
  wanted: WantedContainer,
  beforeStart: () => Promise<void>,
): Promise<Ensured | "cannot start"> => {
  const { containers } = backEnd;
  const found = await present(backEnd, wanted);
  if (!isContainer(found)) return found;
  const { Status: status } = found.State;
  if (status === "running") return { state: "running", container: found };
  if (ENDING.includes(status)) {
    await containers.remove(wanted.name);
    return BUSY;
  }
  const unprepared = await prepare(backEnd, wanted);
  if (unprepared !== null) return unprepared;
  await beforeStart();
  const answer = await containers.start(wanted.name);
  const now = await containers.inspect(wanted.name);
  if (now === null) return BUSY;
  if (now.State.Status === "running") return { state: "running", container: now };
  if (isSuccess(answer)) return { state: "failed", why: `it is ${now.State.Status} at once` };
  const isAnew = now.State.Status === "created" || HAS_OLD_START.test(messageOf(answer));
  return answer.status === SERVER_ERROR && isAnew ? "cannot start" : failed(answer);
};

export const ensureContainer = async (
  backEnd: BackEnd,
  wanted: WantedContainer,
  beforeStart: () => Promise<void>,
): Promise<Ensured> => {
  const first = await started(backEnd, wanted, beforeStart);
  if (first !== "cannot start") return first;
  // The runtime still has a container of an earlier start, so this one is made again, once.
  await backEnd.containers.remove(wanted.name);
  const again = await started(backEnd, wanted, beforeStart);
  if (again !== "cannot start") return again;
  return failed(await backEnd.containers.start(wanted.name));
};
