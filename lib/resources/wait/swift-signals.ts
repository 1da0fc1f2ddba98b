/** Parses the texts that were sent to a SwiftSignalHandle, as Heat parses the objects in Swift. */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import {
  DEPTH_MAX,
  isDeeperThan,
  jsonFromText,
  member,
  TOO_DEEP,
} from "#lib/template/json-shape.ts";
import { jsonText, pythonText } from "#lib/template/python-text.ts";
import { pythonEquals } from "#lib/template/python-values.ts";
import type { WaitLogEntry } from "./wait-log.ts";
import type { WaitVerdict } from "./wait-state.ts";

/** Heat writes this text into a new object, so it never counts as a signal. */
const INITIAL_TEXT = "in progress";

interface SwiftSignal {
  readonly id: Json;
  readonly data: Json;
  readonly reason: Json;
  readonly status: Json;
}

export type SwiftSignals =
  | { readonly signals: readonly SwiftSignal[] }
  | { readonly broken: string };

const readText = (text: string): JsonObject | string => {
  if (text === "") return {};
  const body = jsonFromText(text);
  if (body === undefined) return `Failed to parse JSON data: ${text}`;
  if (isDeeperThan(body, DEPTH_MAX)) return `The signal is ${TOO_DEEP}.`;
  return isJsonObject(body) ? body : `The signal is not a JSON object: ${text}`;
};

/** The default id is the number of the signal, even if a later signal has an earlier id. */
const withDefaults = (body: JsonObject, number: number): SwiftSignal => {
  const id = member(body, "id") ?? (Object.hasOwn(body, "id") ? null : number);
  const reason = Object.hasOwn(body, "reason") ? undefined : `Signal ${pythonText(id)} received`;
  return {
    id,
    data: member(body, "data") ?? null,
    reason: reason ?? member(body, "reason") ?? null,
    status: Object.hasOwn(body, "status") ? (member(body, "status") ?? null) : "SUCCESS",
  };
};

export const swiftSignalsOf = (log: readonly WaitLogEntry[]): SwiftSignals => {
  let signals: readonly SwiftSignal[] = [];
  let number = 0;
  for (const entry of log) {
    if (entry.entry !== "text" || entry.text === INITIAL_TEXT) continue;
    const body = readText(entry.text);
    if (typeof body === "string") return { broken: body };
    number += 1;
    const signal = withDefaults(body, number);
    const isOther = ({ id }: SwiftSignal): boolean => !pythonEquals(id, signal.id);
    signals = [...(Object.hasOwn(body, "id") ? signals.filter(isOther) : signals), signal];
  }
  return { signals };
};

const textOf = (value: Json): string => jsonText(value, { sortKeys: false });

const keyText = (id: Json): string => (typeof id === "string" ? textOf(id) : textOf(textOf(id)));

export const swiftDataText = (found: SwiftSignals): string => {
  if ("broken" in found || found.signals.length === 0) return "null";
  const members: { readonly id: Json; data: Json }[] = [];
  for (const { id, data } of found.signals) {
    const known = members.find((one) => pythonEquals(one.id, id));
    if (known === undefined) members.push({ id, data });
    else known.data = data;
  }
  return `{${members.map(({ id, data }) => `${keyText(id)}: ${textOf(data)}`).join(", ")}}`;
};

const reasonsOf = (signals: readonly SwiftSignal[], wanted: string): readonly string[] =>
  signals.filter(({ status }) => status === wanted).map(({ reason }) => pythonText(reason));

const failed = (errorType: string, reason: string): WaitVerdict => ({
  verdict: "failed",
  errorType,
  reason,
});

/** Checks in Heat's order: invalid texts, the timeout, the first failure, then the count. */
export const judgeSwiftSignals = (
  found: SwiftSignals,
  count: number,
  isOver: boolean,
): WaitVerdict => {
  if ("broken" in found) return failed("Error", found.broken);
  const { signals } = found;
  if (isOver) {
    const received = reasonsOf(signals, "SUCCESS");
    const number = `${received.length} of ${count} received`;
    const reason = received.length === 0 ? number : `${number} - ${received.join(";")}`;
    return failed("SwiftSignalTimeout", reason);
  }
  const other = signals.find(({ status }) => status !== "SUCCESS");
  if (other?.status === "FAILURE") {
    return failed("SwiftSignalFailure", reasonsOf(signals, "FAILURE").join(";"));
  }
  if (other !== undefined) return failed("Error", `Unknown status: ${pythonText(other.status)}`);
  return { verdict: signals.length >= count ? "complete" : "waiting" };
};
