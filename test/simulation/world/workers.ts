/**
 * Workers of the simulated platform. Every port call of the engine parks at a point until the
 * scheduler lets it go on, kills its worker before or after the call took effect, or makes it fail.
 * So the engine runs unchanged, and every interleaving and every crash is the scheduler's choice.
 */
import { nextTick } from "node:process";
import { assert } from "#lib/errors.ts";

export interface Point {
  readonly name: string;
  readonly go: () => void;
  /** The call has its effect now; its answer parks at a point of its own. */
  readonly applyOnly: () => void;
  readonly fail: (error: Error) => void;
  readonly applyThenVanish: () => void;
}

export interface Worker {
  readonly id: number;
  readonly label: string;
  readonly points: Point[];
  /** Its virtual start: the platform would stop it after its time limit. */
  readonly startedAt: number;
  finished: boolean;
  dead: boolean;
}

/** Whose code runs. One worker at a time is let go, and what follows is awaited, so one variable can tell. */
let current: Worker | null = null;

/** A tick comes after every microtask, and the memory ports need nothing else: the worker has parked everywhere it can, or has ended. */
const drained = (): Promise<void> =>
  new Promise((resolve) => {
    nextTick(resolve);
  });

/** Reads of what never changes, once they find it: whoever is held up or dies there is held up or dies at the call that follows. */
export type PassesBy = (method: string, parameters: readonly unknown[]) => boolean;

/** Wraps a port: what a worker calls parks; what anybody else calls (checkers, the scheduler) goes straight through. */
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
          // Whoever is killed before it hears of a refusal has nobody to tell it to.
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

/** Runs `story` as a worker up to its first point. `onEnd` hears of its end, unless it is killed before. */
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

/** Everything that follows without another port call has happened when this resolves. */
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
