/**
 * Workers of the simulated platform. Every port call of the engine parks at a point. The scheduler
 * continues it, fails it, or kills its worker before or after its effect. So the engine runs
 * unchanged, and the scheduler chooses every interleaving and every crash.
 */
import { nextTick } from "node:process";
import { assert } from "#lib/errors.ts";

export interface Point {
  readonly name: string;
  readonly go: () => void;
  /** The call takes effect now, and its answer parks at a point of its own. */
  readonly applyOnly: () => void;
  readonly fail: (error: Error) => void;
  readonly applyThenVanish: () => void;
}

export interface Worker {
  readonly id: number;
  readonly label: string;
  readonly points: Point[];
  readonly startedAt: number;
  finished: boolean;
  dead: boolean;
}

/**
 * The worker whose code runs. Only one runs at a time and each step is awaited, so one variable is
 * enough.
 */
let current: Worker | null = null;

/**
 * A tick that a microtask asks for runs after all microtasks. The memory ports use only microtasks,
 * so by then the worker has parked or ended. A tick that a macrotask asks for would come first.
 */
const drained = (): Promise<void> =>
  new Promise((resolve) => {
    queueMicrotask(() => nextTick(resolve));
  });

/** Reads of immutable records do not park: a crash or a delay there equals one at the next call. */
export type PassesBy = (method: string, parameters: readonly unknown[]) => boolean;

/** Wraps a port. Calls of a worker park; calls of checkers and the scheduler pass directly. */
export const parked = <Port extends object>(
  name: string,
  port: Port,
  passesBy: PassesBy = () => false,
): Port => {
  const wrapped = { ...port };
  for (const [method, member] of Object.entries(port)) {
    if (typeof member !== "function") continue;
    const title = `${name}.${method}`;
    Reflect.set(wrapped, method, (...parameters: unknown[]): unknown => {
      const call = () => Reflect.apply(member, port, parameters);
      const worker = current;
      return worker === null || passesBy(method, parameters) ? call() : park(worker, title, call);
    });
  }
  return wrapped;
};

const park = (worker: Worker, name: string, call: () => unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    if (worker.dead) return;
    const parkAt = (title: string, perform: () => unknown): void => {
      const leave = () => {
        worker.points.splice(worker.points.indexOf(point), 1);
      };
      const point: Point = {
        name: title,
        go: () => {
          leave();
          const answer = perform();
          if (answer instanceof Promise) answer.then(resolve, reject);
          else resolve(answer);
        },
        applyOnly: () => {
          leave();
          const answer = Promise.resolve(perform());
          // A worker that is killed first never receives the refusal.
          answer.catch(() => undefined);
          parkAt(`answer of ${title}`, () => answer);
        },
        fail: (error) => {
          leave();
          reject(error);
        },
        applyThenVanish: () => {
          leave();
          Promise.resolve(perform()).catch(() => undefined);
        },
      };
      worker.points.push(point);
    };
    parkAt(name, call);
  });

let started = 0;

export const startWorker = async (
  label: string,
  now: number,
  story: () => Promise<unknown>,
  onEnd: (error: unknown, result: unknown) => void,
): Promise<Worker> => {
  const worker: Worker = {
    id: ++started,
    label,
    points: [],
    startedAt: now,
    finished: false,
    dead: false,
  };
  const finish = (error: unknown, result: unknown) => {
    if (worker.dead) return;
    worker.finished = true;
    onEnd(error, result);
  };
  await letGo(worker, () => {
    story().then(
      (result) => finish(null, result),
      (error: unknown) => finish(error ?? new Error("rejected"), null),
    );
  });
  return worker;
};

/** When this resolves, the worker has parked at its next calls or has ended. */
export const letGo = async (worker: Worker, act: () => void): Promise<void> => {
  assert(current === null, "one worker goes on at a time");
  current = worker;
  try {
    act();
    await drained();
  } finally {
    current = null;
  }
};

export const kill = (worker: Worker): void => {
  worker.dead = true;
  worker.points.length = 0;
};
