import { AnswerLost } from "../errors.ts";
import type { FunctionName } from "../members.ts";
import type { Answer, Call, ObjectCall, ProvidedType } from "../provider.ts";
import { Garbage, readAnswer } from "../read-answer.ts";
import { CALL_SECONDS_DEFAULT } from "../read-provider.ts";

export class Broken extends Error {
  override readonly name = "Broken";
}

export type Member = Exclude<FunctionName, "cancel" | "list">;

export interface OneCall {
  readonly member: Member;
  readonly call: Call;
  readonly handle: string;
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

export const shown = (answer: Answer | null): string => {
  if (answer === null) return "nothing";
  const id = "physicalId" in answer && answer.physicalId ? ` ${answer.physicalId}` : "";
  return `${answer.state}${id}${answer.state === "failed" ? `: ${answer.reason}` : ""}`;
};

const within = async <T>(seconds: number, work: Promise<T>): Promise<T | "late"> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), seconds * 1_000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

const invoke = (
  type: ProvidedType,
  { member, call, handle }: OneCall,
): Promise<unknown> | undefined => {
  if (member === "create" || member === "find") return type[member]?.(call);
  const object: ObjectCall = { ...call, physicalId: call.physicalId ?? "" };
  return member === "poll" ? type.poll?.({ ...object, handle }) : type[member]?.(object);
};

const brokenBy = (member: Member, error: unknown): unknown =>
  error instanceof Garbage
    ? new Broken(`${member} gave an invalid answer: ${error.message}`)
    : error;

const read = (type: ProvidedType, { member, call }: OneCall, answer: unknown): Answer | null => {
  if (member === "find" && answer === null) return null;
  try {
    return readAnswer(type, call, answer);
  } catch (error) {
    throw brokenBy(member, error);
  }
};

/** As in Hearth, a thrown error is a failure, and a call whose answer was lost is repeated. */
const failureOf = (error: unknown): Answer => {
  if (error instanceof Garbage) throw error;
  return error instanceof AnswerLost
    ? { state: "throttled", afterSeconds: error.afterSeconds }
    : { state: "failed", reason: messageOf(error) };
};

const answerOf = async (type: ProvidedType, one: OneCall): Promise<Answer | null> => {
  const seconds = type.callSecondsMax ?? CALL_SECONDS_DEFAULT;
  const work = Promise.resolve().then(() => invoke(type, one));
  const asked = within(seconds, work.catch(failureOf));
  const found = await asked.catch((error: unknown) => {
    throw brokenBy(one.member, error);
  });
  if (found === "late") throw new Broken(`${one.member} took more than ${seconds} s`);
  return read(type, one, found);
};

export const makeCall = async (
  type: ProvidedType,
  one: OneCall,
  journal: string[],
): Promise<Answer | null> => {
  const line = `${one.member} ${one.call.token}`;
  try {
    const answer = await answerOf(type, one);
    journal.push(`${line} -> ${shown(answer)}`);
    return answer;
  } catch (error) {
    journal.push(`${line} -> ${messageOf(error)}`);
    throw error;
  }
};
