/**
 * The world of a random life: an engine behind its API, its messages, and the lines that agents
 * have to it. Here all of it is in memory; decade-world.ts has a host on a folder.
 */
import { checkResource } from "#lib/convergence/converger.ts";
import { sweep } from "#lib/convergence/sweep/sweep.ts";
import { prepareTraversal } from "#lib/convergence/traversal/prepare.ts";
import { RetryLater } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import type { Ports, Random } from "#lib/ports/ports.ts";
import type { Message } from "#lib/ports/queue.ts";
import { type Answer, openWorld, type World } from "../../unit/api/api-world.ts";
import { type AgentLine, memoryLine } from "./deployment-agents.ts";
import type { Answers } from "./deployment-oracle.ts";

const REDELIVERED_MS = 120_000;

export interface Stroke {
  readonly what: string;
  readonly isRestore?: boolean;
}

export interface LifeWorld {
  readonly ports: Ports;
  readonly clock: { now(): number; advance(ms: number): void };
  send(method: string, url: string, body?: Json): Promise<Answer>;
  deliver(isCalm: boolean): Promise<boolean>;
  sweep(): Promise<void>;
  lineTo(serverId: string, answers: Answers): AgentLine;
  resources?(): readonly (readonly [string, Json])[];
  strikes?(): Promise<Stroke | null>;
  look?(isCalm: boolean): Promise<void>;
  ended?(): Promise<void>;
}

export type WorldOf = (random: Random) => LifeWorld;

const never = (): Promise<never> => new Promise(() => undefined);

/** The worker dies before one of its calls or after its effect, and makes no more calls. */
const killable = (ports: Ports, random: Random, died: () => void): Ports => {
  let left = 1 + random.below(12);
  const die = (): Promise<never> => {
    died();
    return never();
  };
  const dies = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get: (target, key): unknown => {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== "function") return value;
        return async (...given: unknown[]): Promise<unknown> => {
          left--;
          if (left === 0 && random.below(2) === 0) return die();
          const answer: unknown = await Reflect.apply(value, target, given);
          return left === 0 ? die() : answer;
        };
      },
    });
  return {
    ...ports,
    store: dies(ports.store),
    queue: dies(ports.queue),
    blobs: dies(ports.blobs),
  };
};

const handle = async (ports: Ports, message: Message): Promise<undefined> => {
  if (message.type === "prepare_traversal") await prepareTraversal(ports, message);
  else await checkResource(ports, message, { remainingMs: () => 60_000 });
};

export const memoryLifeWorld: WorldOf = (random) => {
  const world = openWorld();
  const { ports, clock } = world;
  return {
    ports,
    clock,
    send: world.send,
    deliver: (isCalm) => deliverOne(world, random, isCalm),
    sweep: async () => void (await sweep(ports)),
    lineTo: (serverId, answers) => memoryLine(ports, serverId, answers),
  };
};

const deliverOne = async (world: World, random: Random, isCalm: boolean): Promise<boolean> => {
  const { queue, clock, ports } = world;
  const due = queue.pending.filter(({ deliverAt }) => deliverAt <= clock.now());
  const next = due[random.below(due.length)];
  if (next === undefined) return false;
  const die = isCalm ? 100 : random.below(100);
  if (die >= 4) queue.pending.splice(queue.pending.indexOf(next), 1);
  if (die >= 4 && die < 7) return true;
  const dies = die >= 7 && die < 12;
  try {
    const ended = dies
      ? await killed(ports, random, (mortal) => handle(mortal, next.message))
      : await handle(ports, next.message);
    if (ended !== "killed") return true;
  } catch (error) {
    if (!(error instanceof RetryLater)) throw error;
  }
  queue.pending.push({ ...next, deliverAt: clock.now() + REDELIVERED_MS });
  return true;
};

export const killed = (
  ports: Ports,
  random: Random,
  work: (mortal: Ports) => Promise<unknown>,
): Promise<"killed" | undefined> =>
  new Promise((ended, failed) => {
    const mortal = killable(ports, random, () => ended("killed"));
    work(mortal).then(() => ended(undefined), failed);
  });
