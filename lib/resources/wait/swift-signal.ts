/** OS::Heat::SwiftSignal waits like a wait condition and parses the uploaded texts as Heat does. */
import * as z from "zod/mini";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { plainNumber } from "#lib/json-schema.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type {
  Handler,
  Lifecycle,
  Progress,
  ProviderCall,
  ResourceType,
  Waiting,
} from "#lib/ports/resource-type.ts";
import { openProperties } from "#lib/stack/record/reference.ts";
import {
  DEPTH_MAX,
  isDeeperThan,
  jsonFromText,
  member,
  TOO_DEEP,
} from "#lib/template/json-shape.ts";
import { jsonText, pythonText } from "#lib/template/python-text.ts";
import { pythonEquals } from "#lib/template/python-values.ts";
import { OWN_LIFECYCLE } from "../lifecycles.ts";
import { isSwiftSignalHandle } from "./swift-signal-handle.ts";
import { WAIT_SIGNALS_MAX, type WaitLogEntry } from "./wait-log.ts";
import {
  type FoundHandle,
  failedWait,
  findHandle,
  handleIdOf,
  joinWaiters,
  type Look,
  logOfHandle,
  TIMEOUT_SECONDS_MAX,
  timedOut,
  type WaitVerdict,
  waitProgress,
} from "./waiter.ts";

const properties: PropertySchemas = {
  handle: {
    type: "string",
    description: "The temporary Swift URL of the handle to wait for.",
    required: true,
  },
  timeout: {
    type: "number",
    description: "How many seconds to wait. Then it fails.",
    required: true,
    constraints: [{ range: { min: 1, max: TIMEOUT_SECONDS_MAX } }],
  },
  count: {
    type: "integer",
    description: "How many signals to wait for.",
    default: 1,
    constraints: [{ range: { min: 1, max: WAIT_SIGNALS_MAX } }],
  },
};

const given = z.object({ handle: z.string(), timeout: plainNumber, count: plainNumber });

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);

/** In Heat, Swift's URL contains the container, which is one per stack. */
const refusalOf = (
  { tenant, stackId }: ProviderCall,
  url: string,
  { target }: Extract<FoundHandle, { handle: null }>,
): string => {
  const isOtherStack = target?.tenant === tenant && target.stackId !== stackId;
  const part = isOtherStack ? "container name" : "Swift TempURL path";
  return `"${pathOf(url)}" is not a valid SwiftSignalHandle.  The ${part} is invalid`;
};

const progressOf = (log: readonly WaitLogEntry[], at: Look): Progress => {
  const { timeout, count } = given.parse(at.call.properties);
  const found = swiftSignalsOf(log);
  const judge = (isOver: boolean): WaitVerdict => judgeSwiftSignals(found, count, isOver);
  return waitProgress(at, timeout, judge, { data: swiftDataText(found) });
};

const create =
  (engine: Ports): Handler =>
  async (call, context) => {
    const { handle: url } = given.parse(call.properties);
    const found = await findHandle(engine, call, handleIdOf(url, false), isSwiftSignalHandle);
    if (found.handle === null) {
      return { state: "failed", reason: refusalOf(call, url, found), errorType: "ValueError" };
    }
    const log = await joinWaiters(engine, found.handle, call);
    return progressOf(log, { call, context, startedAt: context.clock.now() });
  };

const look =
  (engine: Ports): NonNullable<Lifecycle["checkComplete"]> =>
  async (call, startedAt, context) => {
    const { handle: url } = given.parse(call.properties);
    const log = await logOfHandle(engine, call, handleIdOf(url, false));
    return progressOf(log, { call, context, startedAt: Number(startedAt) });
  };

const explainSignals =
  (engine: Ports): NonNullable<Waiting["explainWait"]> =>
  async (row) => {
    const { operation } = row;
    if (operation?.action !== "CREATE") return null;
    const { handle: url, count } = given.parse(
      await openProperties(engine, row, operation.properties),
    );
    const found = swiftSignalsOf(await logOfHandle(engine, row, handleIdOf(url, false)));
    return "broken" in found ? null : `${found.signals.length} of ${count} signals have come`;
  };

export const swiftSignal = (engine: Ports): ResourceType => ({
  type: "OS::Heat::SwiftSignal",
  schema: {
    description:
      "Waits until its OS::Heat::SwiftSignalHandle has enough signals, for a limited time.",
    support: { since: "2014.2" },
    properties,
    attributes: {
      data: { description: "JSON text: the data of each signal by its id.", type: "string" },
    },
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: create(engine),
    // As in Heat, the handle keeps its signals.
    handleDelete: async () => ({ state: "finished", physicalResourceId: null }),
    checkComplete: look(engine),
  },
  waiting: { explainWait: explainSignals(engine) },
});

/** Heat writes this text into a new object, so it never counts as a signal. */
const INITIAL_TEXT = "in progress";

interface SwiftSignal {
  readonly id: Json;
  readonly data: Json;
  readonly reason: Json;
  readonly status: Json;
}

type SwiftSignals = { readonly signals: readonly SwiftSignal[] } | { readonly broken: string };

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

/** Parses the texts that were sent to a SwiftSignalHandle, as Heat parses the objects in Swift. */
const swiftSignalsOf = (log: readonly WaitLogEntry[]): SwiftSignals => {
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

const swiftDataText = (found: SwiftSignals): string => {
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

/** Checks in Heat's order: invalid texts, the timeout, the first failure, then the count. */
const judgeSwiftSignals = (found: SwiftSignals, count: number, isOver: boolean): WaitVerdict => {
  if ("broken" in found) return failedWait("Error", found.broken);
  const { signals } = found;
  if (isOver) return timedOut("SwiftSignalTimeout", reasonsOf(signals, "SUCCESS"), count);
  const other = signals.find(({ status }) => status !== "SUCCESS");
  if (other?.status === "FAILURE") {
    return failedWait("SwiftSignalFailure", reasonsOf(signals, "FAILURE").join(";"));
  }
  if (other !== undefined)
    return failedWait("Error", `Unknown status: ${pythonText(other.status)}`);
  return { verdict: signals.length >= count ? "complete" : "waiting" };
};
