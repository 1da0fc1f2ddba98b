import type { Answer, Call, JsonObject } from "#provider/provider.ts";
import { Refused } from "../client.ts";
import { type Begin, finished, leftBy, type Operation, requestOf } from "./follow.ts";
import { clientTokenOf, withOwnTag } from "./own-tag.ts";
import { patchFor } from "./patch.ts";
import { withoutNulls } from "./paths.ts";

const BUSY_SECONDS = 2;
const NO_OBJECT = "ResourceNotFoundException";
const CANNOT_UPDATE: readonly string[] = ["NotUpdatableException", "UnsupportedActionException"];

export const askedFor = ({ properties }: Pick<Call, "properties">): JsonObject =>
  withoutNulls(properties);

const orAnswer = async <Value>(
  work: Promise<Value>,
  answers: (code: string) => Answer | null,
): Promise<Value | Answer> => {
  try {
    return await work;
  } catch (error) {
    const answer = error instanceof Refused ? answers(error.code) : null;
    if (answer === null) throw error;
    return answer;
  }
};

export const beginCreate: Begin = ({ type, table, account, call }, salt) =>
  account.create({
    type,
    model: withOwnTag(table, askedFor(call), clientTokenOf(call.token)),
    clientToken: clientTokenOf(call.token, salt),
    signal: call.signal,
  });

export const beginUpdate: Begin = async (operation, salt) => {
  const { type, table, account, call } = operation;
  const identifier = call.physicalId ?? "";
  const canRead = table.handlers.includes("read");
  const live = canRead ? await account.read(type, identifier, call.signal) : null;
  if (canRead && live === null) return { state: "gone" };
  const before = call.previousProperties && withoutNulls(call.previousProperties);
  const { repairs } = call;
  const patch = patchFor(table, { asked: askedFor(call), before, live, repairs });
  if (patch.length === 0) return finished(operation, identifier);
  // After a partial success the patch differs, so the request needs another token.
  const clientToken = clientTokenOf(call.token, salt, JSON.stringify(patch));
  const { signal } = call;
  return orAnswer(account.update({ type, identifier, patch, clientToken, signal }), (code) => {
    if (code === NO_OBJECT) return { state: "gone" };
    return CANNOT_UPDATE.includes(code) ? { state: "replace" } : null;
  });
};

const objectOf = async (
  { account, call }: Operation,
  requestToken: string,
): Promise<string | Answer> => {
  const progress = await account.progress(requestToken, call.signal);
  if (progress === null) {
    return { state: "failed", reason: "AWS has forgotten the creation, and what it has made" };
  }
  if (progress.status === "running") {
    return { state: "throttled", afterSeconds: progress.afterSeconds ?? BUSY_SECONDS };
  }
  return leftBy(progress) ?? { state: "gone" };
};

export const beginDelete: Begin = async (operation, salt) => {
  const { type, account, call } = operation;
  const physicalId = call.physicalId ?? "";
  const request = requestOf(physicalId);
  const identifier = request === null ? physicalId : await objectOf(operation, request);
  if (typeof identifier !== "string") return identifier;
  const clientToken = clientTokenOf(call.token, salt);
  const { signal } = call;
  return orAnswer(account.delete({ type, identifier, clientToken, signal }), (code) =>
    code === NO_OBJECT ? { state: "gone" } : null,
  );
};
