/** Calls one function of a plug-in and turns its answer into the progress of the operation. */
import { RetryLater } from "#lib/errors.ts";
import type { TimeLimit } from "#lib/ports/ports.ts";
import type { Progress, ProviderCall } from "#lib/ports/resource-type.ts";
import { AnswerLost, CallerRefused } from "#provider/errors.ts";
import { type FunctionName, MEMBER_OF } from "#provider/members.ts";
import type { Action, Answer, Call, ProvidedType, Throttled } from "#provider/provider.ts";
import { Garbage, readAnswer } from "#provider/read-answer.ts";
import { CALL_SECONDS_DEFAULT } from "#provider/read-provider.ts";
import { plainObject } from "./provided-schema.ts";
import { withoutSecrets } from "./secrets-of-call.ts";

export interface ProvidedSource {
  readonly provider: string;
  readonly name: string;
  readonly type: ProvidedType;
  readonly limit: TimeLimit;
  readonly now: () => number;
}

export interface AskedSource extends ProvidedSource {
  readonly retries: Retries;
}

interface PlugInCall {
  readonly member: Exclude<FunctionName, "list">;
  readonly call: ProviderCall;
  readonly ask: (data: Call) => Promise<unknown>;
}

const POLL_SECONDS_DEFAULT = 5;
const THROTTLED_SECONDS_DEFAULT = 1;

export const callMsMax = ({ callSecondsMax = CALL_SECONDS_DEFAULT }: ProvidedType): number =>
  callSecondsMax * 1_000;

const isAction = (action: string): action is Action => Object.hasOwn(MEMBER_OF, action);

const actionOf = ({ action }: ProviderCall): Action => (isAction(action) ? action : "CHECK");

const dataOf = (call: ProviderCall, signal: AbortSignal): Call => ({
  token: call.token,
  action: actionOf(call),
  tenant: call.tenant,
  stackId: call.stackId,
  stackName: call.stackName,
  resourceId: call.resourceId,
  resourceName: call.resourceName,
  physicalId: call.physicalResourceId,
  properties: plainObject(call.properties),
  previousProperties:
    call.previousProperties === null ? null : plainObject(call.previousProperties),
  ...(call.repairs ? { repairs: true } : {}),
  deadline: call.deadline,
  signal,
});

const UNKNOWN =
  "say what is so with `hearth stack resource resolve`: --import ID, --nothing-was-made or --retry";

/** Whether an earlier call may have made an object that this call can only look for. */
const mayHaveMade = ({ member, call }: PlugInCall): boolean =>
  call.action === "CREATE" && (member === "find" || call.isRepeated === true);

/** Only a user can find out what such a creation has made (P18). */
export const failedUnknown = ({ action }: ProviderCall, reason: string): Progress =>
  action === "CREATE"
    ? {
        state: "failed",
        reason: `${reason}. The call may have made an object; ${UNKNOWN}`,
        outcomeUnknown: true,
      }
    : { state: "failed", reason };

const missing = ({ physicalResourceId }: ProviderCall): Progress => ({
  state: "failed",
  reason: `The object (${physicalResourceId}) could not be found.`,
  errorType: "EntityNotFound",
  health: "gone",
});

const goneProgress = (call: ProviderCall): Progress => {
  if (call.action === "DELETE") return { state: "finished", physicalResourceId: null };
  return call.action === "UPDATE" ? { state: "replace", isGone: true } : missing(call);
};

const throttled = (
  source: ProvidedSource,
  { member, call }: PlugInCall,
  { afterSeconds = THROTTLED_SECONDS_DEFAULT, reason: told = "" }: Throttled,
): Progress => {
  const why = told === "" ? "" : `: ${withoutSecrets(told, source.type.properties, call)}`;
  const reason = `the provider ${source.provider} asks to try again later${why}`;
  // For a type without tokens the engine treats a second call as one whose answer was lost. This
  // call has done nothing, so it fails instead.
  const cannotRepeat = source.type.tokens === "ignored" && member !== "poll";
  if (cannotRepeat) return { state: "failed", reason };
  throw new RetryLater(reason, afterSeconds);
};

const progressOf = (source: ProvidedSource, given: PlugInCall, answer: Answer): Progress => {
  const { call } = given;
  switch (answer.state) {
    case "finished": {
      if (call.action === "DELETE") return { state: "finished", physicalResourceId: null };
      const { physicalId, attributes } = answer;
      return {
        state: "finished",
        ...(physicalId === undefined ? {} : { physicalResourceId: physicalId }),
        ...(attributes === undefined ? {} : { attributes }),
      };
    }
    case "waiting":
      return {
        state: "waiting",
        handle: answer.handle ?? call.token,
        pollAfterMs: (answer.pollAfterSeconds ?? POLL_SECONDS_DEFAULT) * 1_000,
        physicalResourceId: answer.physicalId,
      };
    case "failed": {
      const { physicalId, health } = answer;
      const reason = withoutSecrets(answer.reason, source.type.properties, call);
      // Without an answer to `find` it is unknown which object would have to be deleted.
      if (given.member === "find" && physicalId === undefined) return failedUnknown(call, reason);
      return {
        state: "failed",
        reason,
        ...(physicalId === undefined ? {} : { physicalResourceId: physicalId }),
        ...(health === undefined ? {} : { health }),
      };
    }
    case "throttled":
      return throttled(source, given, answer);
    case "gone":
      return goneProgress(call);
    case "replace":
      return { state: "replace" };
  }
};

/** Even an invalid answer may contain the id, and then a later delete finds the object. */
const idIn = (answer: unknown): string | null => {
  if (typeof answer !== "object" || answer === null || !("physicalId" in answer)) return null;
  const { physicalId } = answer;
  return typeof physicalId === "string" && physicalId !== "" ? physicalId : null;
};

const garbage = (
  { provider, name }: ProvidedSource,
  { member, call }: PlugInCall,
  answer: unknown,
  error: Garbage,
): Progress => {
  const reason = `the provider ${provider} gave an invalid answer to ${member} of ${name}: ${error.message}`;
  const physicalResourceId = idIn(answer);
  return physicalResourceId === null || member !== "create"
    ? failedUnknown(call, reason)
    : { state: "failed", reason, physicalResourceId };
};

/** Treats the call as lost and retries it, until the operation must end (P14). */
const lost = (
  source: ProvidedSource,
  { call }: PlugInCall,
  reason: string,
  afterSeconds?: number,
): Progress => {
  if (source.now() < call.deadline) throw new RetryLater(reason, afterSeconds);
  return failedUnknown(call, reason);
};

type Returned =
  | { readonly answer: unknown }
  | { readonly lost: string; readonly afterSeconds?: number }
  | { readonly unknown: string }
  | { readonly garbage: Garbage };

const returned = async (source: ProvidedSource, given: PlugInCall): Promise<Returned> => {
  const { type, limit, name, provider } = source;
  const { member, call, ask } = given;
  const what = `${member} of ${name} at the provider ${provider}`;
  const limitMs = callMsMax(type);
  try {
    const key = `${call.token} ${member}`;
    const found = await limit.wait(key, limitMs, (signal) => ask(dataOf(call, signal)));
    return found.isAnswered ? found : { lost: `${what} took more than ${limitMs / 1_000} s` };
  } catch (error) {
    if (error instanceof Garbage) return { garbage: error };
    const text = error instanceof Error ? error.message : String(error);
    const shown = withoutSecrets(text, type.properties, call);
    if (error instanceof CallerRefused && mayHaveMade(given)) {
      return { lost: `${what} was refused: ${shown}` };
    }
    if (given.member === "find" && !(error instanceof AnswerLost)) return { unknown: shown };
    if (!(error instanceof AnswerLost)) throw new Error(shown);
    return { lost: `${what} was not answered: ${shown}`, afterSeconds: error.afterSeconds };
  }
};

const answerOf = async (source: ProvidedSource, given: PlugInCall): Promise<Progress | null> => {
  const found = await returned(source, given);
  if ("lost" in found) return lost(source, given, found.lost, found.afterSeconds);
  if ("unknown" in found) return failedUnknown(given.call, found.unknown);
  if ("garbage" in found) return garbage(source, given, null, found.garbage);
  if (given.member === "find" && found.answer === null) return null;
  try {
    const { physicalResourceId: physicalId } = given.call;
    const asked = { action: actionOf(given.call), physicalId };
    const answer = readAnswer(source.type, asked, found.answer);
    return progressOf(source, given, answer);
  } catch (error) {
    if (error instanceof Garbage) return garbage(source, given, found.answer, error);
    throw error;
  }
};

export const askOrFind = async (
  source: AskedSource,
  given: PlugInCall,
): Promise<Progress | null> => {
  const { resourceId } = given.call;
  try {
    const progress = await answerOf(source, given);
    source.retries.forget(resourceId);
    return progress;
  } catch (error) {
    if (error instanceof RetryLater) source.retries.note(resourceId, error.message);
    else source.retries.forget(resourceId);
    throw error;
  }
};

export const ask = async (source: AskedSource, given: PlugInCall): Promise<Progress> =>
  (await askOrFind(source, given)) ?? { state: "failed", reason: "there is no answer" };

/**
 * Calls `cancel`. A delete follows in any case, so errors do not stop the operation.
 * @returns what went wrong, or null.
 */
export const tell = async (source: ProvidedSource, given: PlugInCall): Promise<string | null> => {
  try {
    const found = await returned(source, given);
    if ("garbage" in found) return `${given.member} failed: ${found.garbage.message}`;
    return "lost" in found ? `${given.member} was cut off` : null;
  } catch (error) {
    return `${given.member} failed: ${error instanceof Error ? error.message : String(error)}`;
  }
};

interface Retries {
  note(resourceId: string, why: string): void;
  forget(resourceId: string): void;
  of(resourceId: string): string | null;
}

const ROWS_MAX = 1_000;

/**
 * Remembers why calls are retried, by row. The texts are only shown to users, so losing them in a
 * restart is harmless.
 */
export const knownRetries = (): Retries => {
  const known = new Map<string, string>();
  const forget = (resourceId: string): void => void known.delete(resourceId);
  return {
    note: (resourceId, why) => {
      // Deleting the entry first keeps the map sorted by age.
      forget(resourceId);
      known.set(resourceId, why);
      const [oldest] = known.keys();
      if (known.size > ROWS_MAX && oldest !== undefined) forget(oldest);
    },
    forget,
    of: (resourceId) => known.get(resourceId) ?? null,
  };
};
