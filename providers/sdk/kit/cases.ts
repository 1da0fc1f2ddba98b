/** The cases of the contract kit. A case throws Broken if the provider breaks a promise. */
import type { MEMBER_OF } from "../members.ts";
import type { Action, Answer, Call, JsonObject } from "../provider.ts";
import { Broken } from "./one-call.ts";
import type { Stage, Subject } from "./stage.ts";

export interface CaseInput {
  readonly properties: JsonObject;
  readonly changed: JsonObject | undefined;
  readonly replacement: JsonObject;
  readonly failing: JsonObject | undefined;
}

export type Seen = { readonly seen: string } | { readonly why: string };

export interface Case {
  readonly name: string;
  readonly play: (stage: Stage, input: CaseInput) => Promise<Seen>;
}

const BURST_CALLS = 10;

const expectObjects = async (stage: Stage, ids: readonly (string | null)[]): Promise<void> => {
  const found = await stage.objects();
  const wanted = new Set(ids);
  if (found.length === wanted.size && found.every((id) => wanted.has(id))) return;
  throw new Broken(
    `there are ${found.length} objects instead of ${wanted.size}: ${found.join(", ") || "none"}`,
  );
};

const askAgain = async (stage: Stage, call: Call): Promise<Answer> => {
  const found = stage.type.tokens === "searchable" ? await stage.ask("find", call) : null;
  return found ?? (await stage.ask("create", call)) ?? { state: "gone" };
};

export const createdAgain = async (
  stage: Stage,
  subject: Subject,
  call: Call,
): Promise<Subject> => {
  const end = await stage.settle(call, () => askAgain(stage, call));
  if (end.state !== "finished" || end.physicalId === undefined) {
    throw new Broken(`the second create ended with ${end.state}`);
  }
  return { ...subject, physicalId: end.physicalId };
};

const cannotRepeat = ({ type }: Stage): boolean => type.tokens === "ignored";

const ASKS_USER: Seen = { why: "the provider ignores tokens, so Hearth asks a user" };

const life: Case["play"] = async (stage, { properties, changed }) => {
  let subject = await stage.succeed(stage.subject(properties), "CREATE");
  await expectObjects(stage, [subject.physicalId]);
  if (stage.type.check) await stage.succeed(subject, "CHECK");
  if (stage.type.update && changed !== undefined) {
    const target = { ...subject, properties: changed, previousProperties: properties };
    subject = await stage.succeed(target, "UPDATE");
    await expectObjects(stage, [subject.physicalId]);
  }
  await stage.succeed(subject, "DELETE");
  await expectObjects(stage, []);
  return { seen: "one object was there, and none is left" };
};

const crash: Case["play"] = async (stage, { properties }) => {
  if (cannotRepeat(stage)) return ASKS_USER;
  const { subject, call } = stage.creation(properties);
  await stage.ask("create", call);
  await stage.restart();
  const { physicalId } = await createdAgain(stage, subject, call);
  await expectObjects(stage, [physicalId]);
  return { seen: "a new process was asked again, and there is one object" };
};

const duplicate: Case["play"] = async (stage, { properties }) => {
  if (cannotRepeat(stage)) return ASKS_USER;
  const { subject, call } = stage.creation(properties);
  const first = await stage.settle(call, () => askAgain(stage, call));
  const second = await createdAgain(stage, subject, call);
  await expectObjects(stage, [second.physicalId]);
  if (first.state !== "finished" || first.physicalId !== second.physicalId) {
    throw new Broken("the same token gave two different physical ids");
  }
  if (typeof stage.type.tokens === "object" && (await stage.ask("find", call)) === null) {
    throw new Broken("find does not find what create has made");
  }
  return { seen: "the same token gave the same object" };
};

const lostAnswers: Case["play"] = async (stage, { properties, changed }) => {
  const subject = await stage.succeed(stage.subject(properties), "CREATE");
  let target = { ...subject, properties: changed ?? properties, previousProperties: properties };
  if (stage.type.update) {
    const end = await repeated(stage, stage.callOf(target, "UPDATE"), "update");
    if ("physicalId" in end && end.physicalId !== undefined) {
      target = { ...target, physicalId: end.physicalId };
    }
    await expectObjects(stage, [target.physicalId]);
  }
  await repeated(stage, stage.callOf(target, "DELETE"), "delete");
  await expectObjects(stage, []);
  return { seen: "update and delete were repeated" };
};

type Repeated = Exclude<(typeof MEMBER_OF)[Action], "create" | "check">;

const repeated = async (stage: Stage, call: Call, member: Repeated): Promise<Answer> => {
  await stage.repeat(call, member);
  const end = await stage.repeat(call, member);
  const isDone = end.state === "finished" || (member === "delete" && end.state === "gone");
  if (!isDone) throw new Broken(`the second ${member} ended with ${end.state}`);
  return end;
};

const slow: Case["play"] = async (stage, { properties }) => {
  if (cannotRepeat(stage)) return ASKS_USER;
  const { subject, call } = stage.creation(properties);
  const cut = new AbortController();
  const first = stage.ask("create", { ...call, signal: cut.signal });
  cut.abort();
  // Hearth repeats a call that it has aborted. Only a provider that searches must have ended the
  // first call, since its search could miss an object that is still being made.
  if (stage.type.tokens === "searchable") await first;
  const second = createdAgain(stage, subject, call);
  await Promise.allSettled([first, second]);
  await first;
  await expectObjects(stage, [(await second).physicalId]);
  return { seen: "a call that was cut off met its repetition, and there is one object" };
};

/** @returns null when the type declares no unique properties or one of them has no value */
const uniqueIn = ({ type }: Stage, properties: JsonObject): JsonObject | null => {
  const values = (type.uniqueBy ?? []).map((name) => [name, properties[name] ?? ""] as const);
  const isNamed = values.length > 0 && values.every(([, value]) => value !== "");
  return isNamed ? Object.fromEntries(values) : null;
};

/** If a failed create named the first object, Hearth would delete that object. */
const expectOwn = (end: Answer, old: Subject): void => {
  const isOld = "physicalId" in end && end.physicalId === old.physicalId;
  if (end.state !== "finished" && isOld) {
    throw new Broken("a create that failed gave the physical id of another resource's object");
  }
};

const expectHeld = async (stage: Stage, old: Subject, properties: JsonObject): Promise<void> => {
  const end = await stage.operate(stage.subject(properties), "CREATE");
  expectOwn(end, old);
  const named = stage.type.uniqueBy?.join(", ");
  if (end.state === "finished") {
    throw new Broken(`uniqueBy says ${named}, and create makes another object of the same name`);
  }
  await expectObjects(stage, [old.physicalId]);
};

const hintOf = ({ type }: Stage, one: JsonObject, other: JsonObject): string => {
  if (type.uniqueBy !== undefined) return "";
  const names = Object.keys(type.properties).filter(
    (name) => type.properties[name]?.type === "string" && one[name] && one[name] === other[name],
  );
  return names.length === 0
    ? ""
    : `. If its name is taken, declare the name with uniqueBy. Both have the same: ${names.join(", ")}`;
};

const replacement: Case["play"] = async (stage, { properties, replacement: other }) => {
  const old = await stage.succeed(stage.subject(properties), "CREATE");
  const held = uniqueIn(stage, properties);
  if (held !== null) await expectHeld(stage, old, { ...other, ...held });
  const subject = stage.subject(other);
  const end = await stage.operate(subject, "CREATE");
  expectOwn(end, old);
  if (end.state !== "finished") {
    await expectObjects(stage, [old.physicalId]);
    const hint = hintOf(stage, properties, other);
    return { seen: `a second object beside the first one is refused${hint}` };
  }
  const made = { ...subject, physicalId: end.physicalId ?? null };
  if (made.physicalId === old.physicalId) {
    await expectObjects(stage, [old.physicalId]);
    return { seen: "both have one physical id, so Hearth deletes nothing" };
  }
  await stage.succeed(old, "DELETE");
  await expectObjects(stage, [made.physicalId]);
  if (stage.type.check) await stage.succeed(made, "CHECK");
  return { seen: "the new object has outlived the old one" };
};

const gone: Case["play"] = async (stage, { properties }) => {
  const subject = await stage.succeed(stage.subject(properties), "CREATE");
  await stage.succeed(subject, "DELETE");
  await stage.succeed(subject, "DELETE");
  if (stage.type.check && (await stage.operate(subject, "CHECK")).state === "finished") {
    throw new Broken("check finds an object that is gone");
  }
  await expectObjects(stage, []);
  return { seen: "a second delete succeeds, and check tells that it is gone" };
};

const failure: Case["play"] = async (stage, { failing }) => {
  if (failing === undefined) return { why: "no properties were given with which a create fails" };
  const subject = stage.subject(failing);
  const end = await stage.operate(subject, "CREATE");
  if (end.state !== "failed") throw new Broken(`create ended with ${end.state}`);
  if (end.physicalId !== undefined) {
    await stage.succeed({ ...subject, physicalId: end.physicalId }, "DELETE");
  }
  await expectObjects(stage, []);
  return { seen: "the failure is told, and nothing is left" };
};

const throttling: Case["play"] = async (stage, { properties }) => {
  const { check, update } = stage.type;
  const action = check ? "CHECK" : "UPDATE";
  if (!check && !update) return { why: "there is neither check nor update" };
  const made = await stage.succeed(stage.subject(properties), "CREATE");
  const subject = { ...made, previousProperties: properties };
  const calls = Array.from({ length: BURST_CALLS }, () => stage.succeed(subject, action));
  const ends = await Promise.allSettled(calls);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  const count = stage.journal.filter((line) => line.endsWith("throttled")).length;
  await expectObjects(stage, [made.physicalId]);
  return { seen: `of ${BURST_CALLS} calls at once ${count} were throttled, and all succeeded` };
};

const garbage: Case["play"] = async (stage, { properties }) => {
  const subject = await stage.succeed(stage.subject(properties), "CREATE");
  const unknown = { ...subject, physicalId: `${subject.physicalId}-unknown` };
  if (stage.type.check && (await stage.operate(unknown, "CHECK")).state === "finished") {
    throw new Broken("check finds an object that never was");
  }
  await stage.operate(unknown, "DELETE");
  const other = stage.callOf(stage.subject(properties), "CREATE");
  const found = stage.type.find ? await stage.ask("find", other) : null;
  // If the answer of a search is lost, the search has found nothing.
  if (found !== null && found.state !== "throttled") {
    throw new Broken("find finds something for a token that was never used");
  }
  await expectObjects(stage, [subject.physicalId]);
  return { seen: "ids and tokens that it never gave change nothing" };
};

const cancelled: Case["play"] = async (stage, { properties }) => {
  const { cancel } = stage.type;
  if (!cancel) return { why: "there is no cancel" };
  const { subject, call } = stage.creation(properties);
  const first = await stage.ask("create", call);
  if (first?.state !== "waiting") return { why: "create does not wait" };
  const { physicalId } = first;
  await cancel({ ...call, physicalId });
  await stage.succeed({ ...subject, physicalId }, "DELETE");
  await expectObjects(stage, []);
  return { seen: "a creation was cancelled and deleted, and nothing is left" };
};

const suspended: Case["play"] = async (stage, { properties, changed }) => {
  const { suspend, resume, check, update } = stage.type;
  if (!suspend || !resume) return { why: "there is no suspend, or no resume" };
  let subject = await stage.succeed(stage.subject(properties), "CREATE");
  await repeated(stage, stage.callOf(subject, "SUSPEND"), "suspend");
  await expectObjects(stage, [subject.physicalId]);
  await repeated(stage, stage.callOf(subject, "RESUME"), "resume");
  if (check) await stage.succeed(subject, "CHECK");
  if (update && changed !== undefined) {
    const target = { ...subject, properties: changed, previousProperties: properties };
    subject = await stage.succeed(target, "UPDATE");
  }
  await stage.succeed(subject, "SUSPEND");
  await stage.succeed(subject, "DELETE");
  await expectObjects(stage, []);
  return { seen: "it was suspended, resumed and suspended again, and deleted so" };
};

/** An action on an object that is gone must fail, and must not create the object. */
const suspendedGone: Case["play"] = async (stage, { properties }) => {
  const { suspend: SUSPEND, resume: RESUME, snapshot: SNAPSHOT } = stage.type;
  const functions = { SUSPEND, RESUME, SNAPSHOT };
  const actions = (["SUSPEND", "RESUME", "SNAPSHOT"] as const).filter((one) => functions[one]);
  if (actions.length === 0) return { why: "there is no suspend, resume or snapshot" };
  const subject = await stage.succeed(stage.subject(properties), "CREATE");
  await stage.succeed(subject, "DELETE");
  for (const action of actions) {
    const { state } = await stage.operate(subject, action);
    if (state === "finished") throw new Broken(`${action} finds an object that is gone`);
  }
  await expectObjects(stage, []);
  return { seen: `${actions.join(", ")} of an object that is gone made none` };
};

const keptBy = (stage: Stage, end: Answer): readonly string[] => {
  const { restore = {} } = stage.type;
  const found = end.state === "finished" ? (end.attributes ?? {}) : {};
  return Object.values(restore).map((name) => {
    if (!Object.hasOwn(found, name)) throw new Broken(`snapshot gave no attribute ${name}`);
    return `${name}: ${JSON.stringify(found[name])}`;
  });
};

const snapshotTaken: Case["play"] = async (stage, { properties }) => {
  if (!stage.type.snapshot) return { why: "there is no snapshot" };
  const subject = await stage.succeed(stage.subject(properties), "CREATE");
  const call = stage.callOf(subject, "SNAPSHOT");
  const first = keptBy(stage, await stage.repeat(call, "snapshot"));
  const second = keptBy(stage, await repeated(stage, call, "snapshot"));
  if (first.join() !== second.join()) throw new Broken("the same token kept two things");
  await expectObjects(stage, [subject.physicalId]);
  if (stage.type.check) await stage.succeed(subject, "CHECK");
  await stage.succeed(subject, "DELETE");
  return { seen: "a repeated snapshot kept one thing, and the object was as before" };
};

const failedChange = async (stage: Stage, target: Subject): Promise<void> => {
  const call = stage.callOf(target, "UPDATE");
  const first = await stage.ask("update", call);
  if (first?.state !== "waiting") return;
  await stage.type.cancel?.({ ...call, physicalId: first.physicalId });
};

const sameObject = async (stage: Stage, subject: Subject, after: Subject): Promise<void> => {
  if (after.physicalId !== subject.physicalId) throw new Broken("the repair gave another object");
  await expectObjects(stage, [subject.physicalId]);
  if (stage.type.check) await stage.succeed(after, "CHECK");
};

/** A provider may refuse to change back, but must then answer `failed`. */
const repaired: Case["play"] = async (stage, { properties, changed }) => {
  if (!stage.type.repairable) return { why: "a failed change is not repaired" };
  if (changed === undefined) return { why: "no properties were given to which it can change" };
  const subject = await stage.succeed(stage.subject(properties), "CREATE");
  const back = { ...subject, previousProperties: properties, repairs: true } as const;
  const target = { ...back, properties: changed };
  await failedChange(stage, { ...subject, previousProperties: properties, properties: changed });
  await sameObject(stage, subject, await stage.succeed(target, "UPDATE"));
  const end = await stage.operate(back, "UPDATE");
  if (end.state !== "finished" && end.state !== "failed") {
    throw new Broken(`the way back ended with ${end.state}`);
  }
  const last = end.state === "finished" ? back : target;
  const physicalId = ("physicalId" in end ? end.physicalId : undefined) ?? subject.physicalId;
  await sameObject(stage, subject, { ...last, physicalId });
  await stage.succeed(last, "DELETE");
  await expectObjects(stage, []);
  const way = end.state === "finished" ? "and back" : "and did not go back";
  return { seen: `after a failed change the same object came to its properties ${way}` };
};

export const CASES: readonly Case[] = [
  { name: "life", play: life },
  { name: "crash after the effect", play: crash },
  { name: "duplicate token", play: duplicate },
  { name: "lost answer", play: lostAnswers },
  { name: "slow", play: slow },
  { name: "replacement", play: replacement },
  { name: "delete of what is gone", play: gone },
  { name: "failure", play: failure },
  { name: "throttling", play: throttling },
  { name: "garbage", play: garbage },
  { name: "cancel", play: cancelled },
  { name: "repair", play: repaired },
  { name: "suspend and resume", play: suspended },
  { name: "suspend of what is gone", play: suspendedGone },
  { name: "snapshot", play: snapshotTaken },
];
