import type { Action, Answer, Call } from "#provider/provider.ts";
import type { CloudControl, Progress } from "../client.ts";
import type { TypeTable } from "../tables/type-table.ts";
import { attributeValues } from "./properties.ts";

export interface Operation {
  readonly type: string;
  readonly table: TypeTable;
  readonly account: CloudControl;
  readonly call: Call;
}

const POLL_SECONDS_DEFAULT = 2;
const UNSEEN_SECONDS = 2;
/** AWS's handlers end when the object can be read. One that stays unseen for a minute is gone. */
export const UNSEEN_LOOKS_MAX = 30;
/** Within one call. Later calls follow a request that runs before it fails. */
const RESTARTS_MAX = 5;

const PASSING: ReadonlySet<string | null> = new Set([
  "Throttling",
  "ServiceInternalError",
  "NetworkFailure",
]);
const NOT_FOUND = "NotFound";
const NOT_UPDATABLE = "NotUpdatable";

const waiting = ({ call }: Operation, { requestToken, afterSeconds }: Progress): Answer => ({
  state: "waiting",
  physicalId: call.action === "CREATE" ? pendingId(requestToken) : (call.physicalId ?? ""),
  handle: requestToken,
  pollAfterSeconds: afterSeconds ?? POLL_SECONDS_DEFAULT,
});

export const finished = async (
  operation: Operation,
  identifier: string,
  unseen: Answer = { state: "throttled", afterSeconds: UNSEEN_SECONDS },
): Promise<Answer> => {
  const { table, type, account, call } = operation;
  if (call.action === "DELETE") return { state: "gone" };
  if (!table.handlers.includes("read")) return { state: "finished", physicalId: identifier };
  const model = await account.read(type, identifier, call.signal);
  // The update has read the object before, so somebody has removed it since.
  if (model === null) return call.action === "UPDATE" ? { state: "gone" } : unseen;
  return { state: "finished", physicalId: identifier, attributes: attributeValues(table, model) };
};

const SPECIAL: Readonly<Partial<Record<Action, Readonly<Record<string, Answer>>>>> = {
  UPDATE: { [NOT_FOUND]: { state: "gone" }, [NOT_UPDATABLE]: { state: "replace" } },
  DELETE: { [NOT_FOUND]: { state: "gone" } },
};

const failed = ({ call }: Operation, progress: Progress): Answer => {
  const { code, message } = progress;
  const special = SPECIAL[call.action]?.[code ?? ""];
  if (special !== undefined) return special;
  const left = call.action === "CREATE" ? leftBy(progress) : null;
  return {
    state: "failed",
    reason: `AWS: ${code ?? "the request has failed"}: ${message}`,
    ...(left === null ? {} : { physicalId: left }),
  };
};

export type Begin = (operation: Operation, salt: string) => Promise<Progress | Answer>;

const isAnswer = (given: Progress | Answer): given is Answer => "state" in given;

/** Only a temporary failure that has left no object can be retried. */
const mayRestart = ({ call }: Operation, { code, identifier }: Progress): boolean =>
  PASSING.has(code) && (call.action !== "CREATE" || identifier === null);

export const follow = async (
  operation: Operation,
  given: Progress | Answer,
  begin: Begin,
  looks = 0,
  restarts = 0,
): Promise<Answer> => {
  if (isAnswer(given)) return given;
  if (given.status === "running") return waiting(operation, given);
  if (given.status === "succeeded") return ended(operation, given, looks);
  if (!mayRestart(operation, given) || restarts >= RESTARTS_MAX) return failed(operation, given);
  return follow(operation, await begin(operation, given.requestToken), begin, looks, restarts + 1);
};

/** The answer contains the identifier, so that a delete finds the object if it exists after all. */
const unseen = (requestToken: string, identifier: string, looks: number): Answer =>
  looks >= UNSEEN_LOOKS_MAX
    ? {
        state: "failed",
        reason: `AWS has made ${identifier} and cannot find it: somebody has removed it. The next update makes it anew`,
        physicalId: identifier,
      }
    : {
        state: "waiting",
        physicalId: pendingId(requestToken),
        handle: unseenHandle(requestToken, looks + 1),
        pollAfterSeconds: UNSEEN_SECONDS,
      };

const ended = async (
  operation: Operation,
  { identifier, requestToken }: Progress,
  looks: number,
): Promise<Answer> => {
  const { action, physicalId } = operation.call;
  const known = action === "CREATE" ? identifier : physicalId;
  if (known !== null) return finished(operation, known, unseen(requestToken, known, looks));
  return { state: "failed", reason: "AWS has named no identifier of what it has made" };
};

const PREFIX = "request:";

const pendingId = (requestToken: string): string => PREFIX + requestToken;

/**
 * The physical id of a creation that is still running. AWS may name an identifier before it finds
 * out that the object belongs to somebody else. So only the end of the request decides.
 */
export const requestOf = (physicalId: string): string | null =>
  physicalId.startsWith(PREFIX) ? physicalId.slice(PREFIX.length) : null;

const unseenHandle = (requestToken: string, looks: number): string => `${requestToken} ${looks}`;

export const readHandle = (handle: string): { requestToken: string; looks: number } => {
  const [requestToken = "", looks = "0"] = handle.split(" ");
  return { requestToken, looks: Number(looks) };
};

/** An object with this identifier exists, and Hearth did not make it. */
const ALREADY_EXISTS = "AlreadyExists";

export const leftBy = ({ status, identifier, code }: Progress): string | null =>
  status === "failed" && code === ALREADY_EXISTS ? null : identifier;
