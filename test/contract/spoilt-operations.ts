/**
 * Operations of a provider whose requests are spoilt, each of them once. The provider is called as
 * Hearth calls it.
 */
import type { Answer, Call, JsonObject, ProvidedType } from "#provider/provider.ts";
import { FAULTS, type Fault } from "../docker/cutting-proxy.ts";
import { callOf } from "./provider-call.ts";

const REQUESTS_MAX = 60;

export interface Result {
  readonly name: string;
  readonly wrong: readonly string[];
}

export interface Patience {
  readonly repeatsMax: number;
  readonly pauseMs: number;
}

const PATIENCE: Patience = { repeatsMax: 60, pauseMs: 20 };

/** A proxy spoils requests, or a function in the place of fetch. */
export interface Spoiler {
  /** Spoils the request with this number, from 0, and restarts the count. */
  spoil(at: number, fault: Fault): void;
  settle(): Promise<void>;
  readonly seen: { readonly spoilt: boolean };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** P14: where tokens are ignored, a repeated creation calls `find` first. */
const createOnce = async (type: ProvidedType, call: Call, isRepeated: boolean): Promise<Answer> => {
  const found = isRepeated && type.find ? await type.find(call) : null;
  return found ?? type.create(call);
};

type Poll = (physicalId: string, handle: string) => Promise<Answer>;

const settled = async (
  ask: (isRepeated: boolean) => Promise<Answer>,
  poll: Poll,
  { repeatsMax, pauseMs }: Patience,
): Promise<Answer> => {
  let answer = await ask(false);
  let last = { physicalId: "", handle: "" };
  for (let repeats = 0; repeats < repeatsMax; repeats += 1) {
    if (answer.state === "waiting") {
      last = { physicalId: answer.physicalId, handle: answer.handle ?? "" };
    } else if (answer.state !== "throttled") return answer;
    await pause(pauseMs);
    // A poll that is throttled is repeated as a poll.
    answer = last.physicalId === "" ? await ask(true) : await poll(last.physicalId, last.handle);
  }
  return answer;
};

export const make = (type: ProvidedType, call: Call, patience = PATIENCE): Promise<Answer> =>
  settled(
    (isRepeated) => createOnce(type, call, isRepeated),
    (physicalId, handle) =>
      type.poll?.({ ...call, physicalId, handle: handle || call.token }) ?? type.create(call),
    patience,
  );

export const change = async (
  type: ProvidedType,
  made: Call,
  { physicalId, properties }: { readonly physicalId: string; readonly properties: JsonObject },
  patience = PATIENCE,
): Promise<Answer> => {
  const { update } = type;
  if (update === undefined) return { state: "finished" };
  const token = `${made.token}/update`;
  const previousProperties = made.properties;
  const call = {
    ...made,
    action: "UPDATE" as const,
    token,
    physicalId,
    properties,
    previousProperties,
  };
  return settled(
    () => update(call),
    (id, handle) =>
      type.poll?.({ ...call, physicalId: id, handle: handle || token }) ?? update(call),
    patience,
  );
};

export const unmake = (
  type: ProvidedType,
  made: Call,
  physicalId: string,
  patience = PATIENCE,
): Promise<Answer> => {
  const call = { ...made, action: "DELETE" as const, token: `${made.token}/delete`, physicalId };
  return settled(
    () => type.delete(call),
    (_, handle) => type.poll?.({ ...call, handle: handle || call.token }) ?? type.delete(call),
    patience,
  );
};

export type Step = "create" | "update" | "delete";

export interface SpoiltType {
  readonly name: string;
  readonly own: ProvidedType;
  readonly spoilt: ProvidedType;
  readonly properties: JsonObject;
  /** The properties after an update in place. If absent, no update is played. */
  readonly changed?: JsonObject | undefined;
  readonly count: () => Promise<number>;
  readonly patience?: Patience;
  /** How many requests of an operation are spoilt. If absent, all. */
  readonly requestsMax?: number;
  readonly steps?: readonly Step[] | undefined;
  /** Whether each request is spoilt with one fault, the faults in turn, or with every fault. */
  readonly inTurn?: boolean | undefined;
}

const wrongAfter = async (
  { count }: SpoiltType,
  what: string,
  answer: Answer,
  wanted: number,
): Promise<readonly string[]> => {
  const found = await count();
  return [
    ...(answer.state === "finished" ? [] : [`${what}: ${JSON.stringify(answer)}`]),
    ...(found === wanted ? [] : [`${what}: ${found} objects, ${wanted} wanted`]),
  ];
};

const idAfter = (answer: Answer, former: string): string =>
  "physicalId" in answer ? (answer.physicalId ?? former) : former;

/** The object must be the only one of its type, so that the objects can be counted. */
const spoilOne = async (
  one: SpoiltType,
  spoiler: Spoiler,
  plan: { readonly at: number; readonly fault: Fault; readonly step: Step },
): Promise<{ readonly wrong: readonly string[]; readonly spoilt: boolean }> => {
  const { name, own, spoilt, properties, changed, patience } = one;
  const token = `spoilt/${name}/${plan.step}/${plan.at}/${plan.fault}/${Date.now()}`;
  let call = callOf(token, { properties });
  let isSpoilt = false;
  const wrong: string[] = [];
  const play = async (
    step: Step,
    wanted: number,
    ask: (type: ProvidedType) => Promise<Answer>,
  ): Promise<Answer> => {
    const isPlanned = step === plan.step;
    if (isPlanned) spoiler.spoil(plan.at, plan.fault);
    const answer = await ask(isPlanned ? spoilt : own);
    await spoiler.settle();
    isSpoilt ||= isPlanned && spoiler.seen.spoilt;
    wrong.push(...(await wrongAfter(one, `${plan.fault} ${plan.at}, ${step}`, answer, wanted)));
    return answer;
  };
  let id = idAfter(await play("create", 1, (type) => make(type, call, patience)), "none");
  if (plan.step === "update" && changed !== undefined) {
    const to = { physicalId: id, properties: changed };
    id = idAfter(await play("update", 1, (type) => change(type, call, to, patience)), id);
    call = { ...call, properties: changed, previousProperties: properties };
  }
  await play("delete", 0, (type) => unmake(type, call, id, patience));
  return { wrong, spoilt: isSpoilt };
};

interface Row {
  readonly title: string;
  readonly faultAt: (at: number) => Fault;
}

const ALL_FAULTS: readonly Row[] = FAULTS.map((fault) => ({ title: fault, faultAt: () => fault }));

/** Each operation begins with another fault, so that few requests meet all of them. */
const inTurnFrom = (first: number): readonly Row[] => {
  const faultAt = (at: number): Fault => FAULTS[(first + at) % FAULTS.length] ?? FAULTS[0];
  return [{ title: "the faults in turn", faultAt }];
};

export const playFaults = async (one: SpoiltType, spoiler: Spoiler): Promise<readonly Result[]> => {
  const { requestsMax = REQUESTS_MAX, changed } = one;
  const results: Result[] = [];
  const all: readonly Step[] =
    changed === undefined ? ["create", "delete"] : ["create", "update", "delete"];
  const { steps = all } = one;
  for (const [index, step] of steps.entries()) {
    for (const { title, faultAt } of one.inTurn ? inTurnFrom(index) : ALL_FAULTS) {
      const wrong: string[] = [];
      let at = 0;
      for (; at < requestsMax; at += 1) {
        const seen = await spoilOne(one, spoiler, { at, fault: faultAt(at), step });
        wrong.push(...seen.wrong);
        if (!seen.spoilt) break;
      }
      if (at === 0) wrong.push("no request was spoilt");
      results.push({ name: `${one.name}: ${step}, each of ${at} requests: ${title}`, wrong });
    }
  }
  return results;
};
