/**
 * A host whose power is cut again and again. Each life first settles what the former one has left,
 * and is compared with the objects outside and with the answers so far. Then it gets new requests,
 * during which the power is cut.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "#lib/ports/ports.ts";
import {
  ask,
  idIn,
  listResources,
  listStacks,
  NoAnswer,
  type Shown,
  showStack,
} from "./requests.ts";
import { HANDLE, type Known, templateOf, unknown } from "./stacks.ts";
import type { World } from "./world.ts";

const NAMES = ["one", "two", "three"] as const;
const STEPS = 4;
const LOOK_MS = 100;
/** Two rounds of the sweeper for a lost message, and the request's own time. */
const SETTLE_MS_MAX = 180_000;
/** Of four steps, one is a delete. The others update an existing stack. */
const FOUR = 4;
/** Of two steps, one waits for the end of the step before, and the other overtakes it. */
const TWO = 2;

export interface HostStory {
  readonly world: World;
  readonly random: Random;
  readonly known: Map<string, Known>;
}

export const openStory = (world: World, random: Random): HostStory => ({
  world,
  random,
  known: new Map(NAMES.map((name) => [name, unknown(name)])),
});

const isOk = (status: number): boolean => status >= 200 && status < 300;
const placeOf = ({ name, id }: Known): string => `/${name}/${id}`;

/** Lists what was shown before the cut but is no longer true at the first read of the stack. */
const takenBack = (stack: Known, shown: Shown | null): readonly string[] => {
  const { name, shown: before, sent, answered, isDeleteSent } = stack;
  const told = `${name}: version ${before?.version ?? answered}`;
  if (before?.isGone === true) return shown === null ? [] : [`${name} was gone, and is back`];
  if (shown === null)
    return isDeleteSent || answered === 0 ? [] : [`${told} was answered, and the stack is unknown`];
  if (before === null || before.version < sent || isDeleteSent) return [];
  const isSame = shown.version === before.version && shown.status.endsWith("_COMPLETE");
  return isSame ? [] : [`${told} was complete, and is ${shown.status} of ${shown.version}`];
};

/** A request without an answer may have created a stack. */
const adopt = async (url: string, { known }: HostStory): Promise<void> => {
  for (const { id, stack_name: name } of await listStacks(url)) {
    const stack = known.get(name);
    if (stack !== undefined && stack.id === null) stack.id = id;
  }
};

const signal = async (url: string, stack: Known): Promise<void> => {
  const place = placeOf(stack);
  const handle = (await listResources(url, place)).find(
    ({ resource_name: name }) => name === HANDLE,
  );
  if (handle?.resource_status.endsWith("_COMPLETE") !== true) return;
  const body = { id: "1", status: "SUCCESS", reason: "", data: "done" };
  const { status } = await ask(url, "POST", `${place}/resources/${HANDLE}/signal`, body);
  if (isOk(status)) stack.isSignalled = true;
};

const stateOf = async (url: string, stack: Known): Promise<string> => {
  const rows = await listResources(url, placeOf(stack));
  const states = rows.map(
    ({ resource_name: name, resource_status: status }) => `${name} ${status}`,
  );
  return `${JSON.stringify(stack)}: ${states.join(", ")}`;
};

const settle = async (url: string, stack: Known): Promise<readonly string[]> => {
  const end = performance.now() + SETTLE_MS_MAX;
  for (;;) {
    const sentBefore = stack.sent;
    const shown = stack.id === null ? null : await showStack(url, placeOf(stack));
    if (shown === null) {
      if (stack.isDeleteSent) stack.shown = { version: stack.sent, isGone: true };
      return [];
    }
    if (shown.status.endsWith("_FAILED")) return [`${stack.name} failed: ${shown.reason}`];
    if (shown.status.endsWith("_COMPLETE") && stack.sent === sentBefore) {
      stack.shown = { version: shown.version, isGone: false };
      return [];
    }
    if (!stack.isSignalled && !stack.isDeleteSent) await signal(url, stack);
    if (performance.now() > end)
      return [`${stack.name} does not end: ${await stateOf(url, stack)}`];
    await pause(LOOK_MS);
  }
};

const compare = async (url: string, { world, known }: HostStory): Promise<readonly string[]> => {
  const wrong: string[] = [];
  const owned = new Set<string>();
  for (const stack of known.values()) {
    const shown = stack.id === null ? null : await showStack(url, placeOf(stack));
    if (shown === null) continue;
    if (shown.version < stack.answered || shown.version > stack.sent)
      wrong.push(`${stack.name} has version ${shown.version}, and ${stack.answered} was answered`);
    if (stack.isDeleteAnswered)
      wrong.push(`the delete of ${stack.name} was answered and forgotten`);
    const resources = await listResources(url, placeOf(stack));
    for (const {
      resource_type: type,
      physical_resource_id: id,
      resource_name: name,
    } of resources) {
      if (type !== "World::Thing") continue;
      owned.add(id ?? "");
      const thing = world.things.get(id ?? "");
      if (thing === undefined) wrong.push(`${stack.name}.${name} has no object: ${id}`);
      else if (thing.value !== String(shown.version))
        wrong.push(`${id} has the value ${thing.value} in version ${shown.version}`);
    }
  }
  for (const [id, { stackName, resourceName }] of world.things)
    if (!owned.has(id)) wrong.push(`an orphan: ${id} of ${stackName}.${resourceName}`);
  return wrong;
};

const forgetGone = async (url: string, { known }: HostStory): Promise<void> => {
  for (const { name, id } of known.values())
    if (id === null || (await showStack(url, `/${name}/${id}`)) === null)
      known.set(name, unknown(name));
};

export const settleAndCompare = async (
  url: string,
  story: HostStory,
): Promise<readonly string[]> => {
  await adopt(url, story);
  const stacks = [...story.known.values()];
  const back: string[] = [];
  for (const stack of stacks) {
    const isThere = stack.id !== null;
    back.push(...takenBack(stack, isThere ? await showStack(url, placeOf(stack)) : null));
  }
  const settled = (await Promise.all(stacks.map((stack) => settle(url, stack)))).flat();
  const compared = settled.length > 0 ? [] : await compare(url, story);
  if (compared.length === 0) await forgetGone(url, story);
  return [...back, ...settled, ...compared];
};

const create = async (url: string, stack: Known, random: Random): Promise<void> => {
  stack.sent = 1;
  const body = { stack_name: stack.name, template: templateOf(stack.sent, random) };
  const answer = await ask(url, "POST", "", body);
  if (!isOk(answer.status)) throw new Error(`create ${stack.name}: ${answer.status}`);
  stack.id = idIn(answer);
  stack.answered = stack.sent;
};

const update = async (url: string, stack: Known, random: Random): Promise<void> => {
  stack.sent += 1;
  const version = stack.sent;
  const body = { template: templateOf(version, random) };
  const { status } = await ask(url, "PUT", placeOf(stack), body);
  if (!isOk(status)) throw new Error(`update ${stack.name}: ${status}`);
  stack.answered = version;
};

const remove = async (url: string, stack: Known): Promise<void> => {
  stack.isDeleteSent = true;
  const { status } = await ask(url, "DELETE", placeOf(stack));
  if (!isOk(status)) throw new Error(`delete ${stack.name}: ${status}`);
  stack.isDeleteAnswered = true;
};

const workOn = async (url: string, stack: Known, random: Random): Promise<void> => {
  for (let step = 0; step < STEPS && !stack.isDeleteSent; step += 1) {
    if (stack.id === null) await create(url, stack, random);
    else if (random.below(FOUR) === 0) await remove(url, stack);
    else await update(url, stack, random);
    if (random.below(TWO) === 0) await settle(url, stack);
  }
  await settle(url, stack);
};

export const work = async (url: string, { known, random }: HostStory): Promise<boolean> => {
  const ends = await Promise.allSettled(
    [...known.values()].map((stack) => workOn(url, stack, random)),
  );
  const reasons = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  for (const reason of reasons) if (!(reason instanceof NoAnswer)) throw reason;
  return reasons.length > 0;
};
