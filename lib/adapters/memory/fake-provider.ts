import {
  type FakeAnswer,
  type FakeObject,
  type FakeProvider,
  isReachable,
} from "#lib/ports/fake-provider.ts";
import type { Clock } from "#lib/ports/ports.ts";

export interface FakeCall {
  readonly kind: "create" | "update" | "delete";
  readonly token: string;
  readonly physicalId: string;
  readonly effect: boolean;
}

export interface MemoryFakeProvider extends FakeProvider {
  objects(): readonly FakeObject[];
  calls(): readonly FakeCall[];
}

/** A physical id is never used twice, so a re-created object differs from the first one. */
export const memoryFakeProvider = (clock: Clock): MemoryFakeProvider => {
  const objects = new Map<string, FakeObject>();
  const answers = new Map<string, FakeAnswer>();
  const calls: FakeCall[] = [];
  let minted = 0;

  const first = (
    kind: FakeCall["kind"],
    token: string,
    answer: FakeAnswer,
    effect: boolean,
    physicalId: string,
  ) => {
    calls.push({ kind, token, physicalId, effect });
    answers.set(token, answer);
    return answer;
  };
  const repeated = (kind: FakeCall["kind"], token: string, asked: string): FakeAnswer | null => {
    const answer = answers.get(token);
    if (!answer) return null;
    const physicalId = answer.state === "missing" ? asked : answer.physicalId;
    calls.push({ kind, token, physicalId, effect: false });
    return answer;
  };
  const started = (physicalId: string, waitMs: number): FakeAnswer =>
    waitMs > 0
      ? { state: "working", physicalId, readyAt: clock.now() + waitMs }
      : { state: "done", physicalId };

  return {
    objects: () => [...objects.values()],
    calls: () => calls,
    create: async ({ token, waitMs, ...object }) => {
      const before = repeated("create", token, "");
      if (before) return before;
      const physicalId = `object-${++minted}`;
      objects.set(physicalId, { ...object, physicalId });
      return first("create", token, started(physicalId, waitMs), true, physicalId);
    },
    update: async ({ token, tenant, physicalId, properties, waitMs }) => {
      const before = repeated("update", token, physicalId);
      if (before) return before;
      const object = objects.get(physicalId);
      if (!object || !isReachable(object, { tenant }))
        return first("update", token, { state: "missing" }, false, physicalId);
      objects.set(physicalId, { ...object, properties });
      return first("update", token, started(physicalId, waitMs), true, physicalId);
    },
    delete: async ({ token, tenant, physicalId, waitMs }) => {
      const before = repeated("delete", token, physicalId);
      if (before) return before;
      const object = objects.get(physicalId);
      const effect =
        object !== undefined && isReachable(object, { tenant }) && objects.delete(physicalId);
      return first("delete", token, started(physicalId, effect ? waitMs : 0), effect, physicalId);
    },
    poll: async (token) => {
      const answer = answers.get(token);
      if (!answer) return { state: "missing" };
      const over = answer.state === "working" && answer.readyAt <= clock.now();
      return over ? { state: "done", physicalId: answer.physicalId } : answer;
    },
    list: async () => [...objects.values()],
  };
};
