/**
 * Workers of the simulated platform. Every port call of the engine parks at a point until the
 * scheduler lets it go on, kills its worker before or after the call took effect, or makes it fail.
 * So the engine runs unchanged, and every interleaving and every crash is the scheduler's choice.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as drained } from "node:timers/promises";

export interface Point {
  readonly name: string;
  readonly go: () => void;
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

const current = new AsyncLocalStorage<Worker>();

/** Wraps a port: what a worker calls parks; what anybody else calls (checkers, the scheduler) goes straight through. */
export const parked = <Port extends object>(name: string, port: Port): Port =>
  new Proxy(port, {
    get: (target, method) => {
      const member: unknown = Reflect.get(target, method);
      if (typeof member !== "function") return member;
      return (...parameters: unknown[]): unknown => {
        const call = () => Reflect.apply(member, target, parameters);
        const worker = current.getStore();
        return worker === undefined ? call() : park(worker, `${name}.${String(method)}`, call);
      };
    },
  });

const park = (worker: Worker, name: string, call: () => unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    if (worker.dead) return;
    const leave = () => {
      worker.points.splice(worker.points.indexOf(point), 1);
    };
    const point: Point = {
      name,
      go: () => {
        leave();
        Promise.resolve(call()).then(resolve, reject);
      },
      applyThenVanish: () => {
        leave();
        Promise.resolve(call()).catch(() => undefined);
      },
    };
    worker.points.push(point);
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
  current.run(worker, () => {
    story().then(
      (result) => finish(null, result),
      (error: unknown) => finish(error ?? new Error("rejected"), null),
    );
  });
  await drained();
  return worker;
};

/** Everything that follows without another port call has happened when this resolves. */
export const letGo = async (act: () => void): Promise<void> => {
  act();
  await drained();
};

export const kill = (worker: Worker): void => {
  worker.dead = true;
  worker.points.length = 0;
};
