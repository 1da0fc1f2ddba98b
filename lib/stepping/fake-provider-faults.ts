/**
 * Injects faults into the fake provider: a call fails, an operation takes more polls, or the
 * provider does its work and the worker dies without the answer. Objects survive a restart of the
 * host, but faults do not.
 */

import type { FakeAnswer, FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Clock } from "#lib/ports/ports.ts";

const POLL_EVERY_MS = 1_000;

export interface Fault {
  readonly stackName: string;
  readonly logicalName: string;
  readonly action: "CREATE" | "UPDATE" | "DELETE";
  readonly times: number;
  readonly effect:
    | { readonly effect: "error"; readonly error: string }
    | { readonly effect: "polls"; readonly polls: number }
    | { readonly effect: "dies" };
}

export interface FaultyFakeProvider extends FakeProvider {
  addFault(fault: Fault): void;
  /**
   * Resolves when the next worker dies.
   * @returns null when no fault can kill a worker.
   */
  death(): Promise<void> | null;
  /** The next call does its work and kills its caller. The returned function cancels that. */
  dieAtNextCall(): () => void;
  clearFaults(): void;
}

type FaultTarget = Pick<Fault, "stackName" | "logicalName" | "action">;

const faultList = () => {
  let faults: readonly Fault[] = [];
  return {
    isEmpty: () => faults.length === 0,
    isDeadly: () => faults.some(({ effect }) => effect.effect === "dies"),
    add: (fault: Fault): void => {
      faults = [...faults, fault];
    },
    clear: (): void => {
      faults = [];
    },
    takeFor: (target: FaultTarget): Fault["effect"] | null => {
      const fault = faults.find(
        ({ stackName, logicalName, action }) =>
          stackName === target.stackName &&
          logicalName === target.logicalName &&
          action === target.action,
      );
      if (!fault) return null;
      faults = faults.flatMap((one) => {
        if (one !== fault) return [one];
        return one.times > 1 ? [{ ...one, times: one.times - 1 }] : [];
      });
      return fault.effect;
    },
  };
};

const deathList = () => {
  let next = Promise.withResolvers<void>();
  let isExpected = false;
  return {
    next: (): Promise<void> => next.promise,
    isExpected: () => isExpected,
    expect: () => {
      isExpected = true;
      return () => {
        isExpected = false;
      };
    },
    die: (): Promise<never> => {
      isExpected = false;
      next.resolve();
      next = Promise.withResolvers();
      return new Promise(() => undefined);
    },
  };
};

export const withFaults = (provider: FakeProvider, clock: Clock): FaultyFakeProvider => {
  const faults = faultList();
  const deaths = deathList();
  const waiting = new Map<string, { readonly physicalId: string; readonly pollsLeft: number }>();
  const working = (physicalId: string): FakeAnswer => ({
    state: "working",
    physicalId,
    readyAt: clock.now() + POLL_EVERY_MS,
  });

  /** A repeated call with the same token is the same operation, so a fault applies to it once. */
  const withFault = async (
    token: string,
    target: FaultTarget | null,
    call: () => Promise<FakeAnswer>,
  ): Promise<FakeAnswer> => {
    const known = waiting.get(token);
    if (known) return working(known.physicalId);
    const effect = target && faults.takeFor(target);
    if (effect?.effect === "error") throw new Error(effect.error);
    const answer = await call();
    if (effect?.effect === "dies" || deaths.isExpected()) return deaths.die();
    if (effect?.effect !== "polls" || answer.state === "missing") return answer;
    const { physicalId } = answer;
    waiting.set(token, { physicalId, pollsLeft: effect.polls });
    return working(physicalId);
  };

  const targetOf = async (
    physicalId: string,
    action: Fault["action"],
  ): Promise<FaultTarget | null> => {
    if (faults.isEmpty()) return null;
    const object = (await provider.list()).find((one) => one.physicalId === physicalId);
    return object ? { ...object, action } : null;
  };

  return {
    create: (request) =>
      withFault(request.token, { ...request, action: "CREATE" }, () => provider.create(request)),
    update: async (request) =>
      withFault(request.token, await targetOf(request.physicalId, "UPDATE"), () =>
        provider.update(request),
      ),
    delete: async (request) =>
      withFault(request.token, await targetOf(request.physicalId, "DELETE"), () =>
        provider.delete(request),
      ),
    poll: async (token) => {
      const one = waiting.get(token);
      if (!one) return provider.poll(token);
      if (one.pollsLeft > 1) {
        waiting.set(token, { ...one, pollsLeft: one.pollsLeft - 1 });
        return working(one.physicalId);
      }
      waiting.delete(token);
      return provider.poll(token);
    },
    list: provider.list,
    addFault: faults.add,
    death: () => (deaths.isExpected() || faults.isDeadly() ? deaths.next() : null),
    dieAtNextCall: deaths.expect,
    clearFaults: () => {
      faults.clear();
      waiting.clear();
    },
  };
};
