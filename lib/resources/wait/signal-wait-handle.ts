import { signalResource } from "#lib/convergence/signal-resource.ts";
import { badRequest, present, RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Signals } from "#lib/ports/resource-type.ts";
import { recordSignal } from "#lib/resources/signal-event.ts";
import { Refusal } from "#lib/software-config/agent-requests/evidence.ts";
import { isEmpty, member } from "#lib/template/json-shape.ts";
import { pythonText } from "#lib/template/python-text.ts";
import {
  appendToWaitLog,
  type WaitHandle,
  type WaitLogEntry,
  type WaitSignal,
} from "./wait-log.ts";
import { lastSignal, waitStateOf } from "./wait-state.ts";

/**
 * The limit of one signal as JSON text. Its data become part of an attribute.
 * @limit a signal to a wait condition
 * @beyond 413
 */
export const WAIT_SIGNAL_BYTES_MAX = 65_536;

export interface SignalForm {
  readonly status: string;
  readonly reason: string;
  readonly data: string;
  readonly id: string;
  /** CloudFormation requires all keys and ignores an empty body. Heat has defaults. */
  readonly isComplete: boolean;
}

export const HEAT_FORM: SignalForm = {
  status: "status",
  reason: "reason",
  data: "data",
  id: "id",
  isComplete: false,
};

export const AWS_FORM: SignalForm = {
  status: "Status",
  reason: "Reason",
  data: "Data",
  id: "UniqueId",
  isComplete: true,
};

const invalid = (): Refusal => new Refusal("not_valid", badRequest("Metadata format invalid"));

const checkSize = (details: Json): void => {
  const { length } = new TextEncoder().encode(JSON.stringify(details));
  if (length <= WAIT_SIGNAL_BYTES_MAX) return;
  const message = `The signal is larger than ${WAIT_SIGNAL_BYTES_MAX} bytes.`;
  throw new Refusal("too_large", new RequestError("RequestEntityTooLarge", 413, message));
};

const textOf = (details: JsonObject, key: string): string | undefined => {
  const value = member(details, key);
  return value === undefined ? undefined : pythonText(value);
};

const readSignal = (details: Json, form: SignalForm): WaitSignal => {
  if (!isJsonObject(details)) throw invalid();
  const keys = [form.status, form.reason, form.data, form.id];
  const given = Object.keys(details);
  const isWhole = !form.isComplete || given.length === keys.length;
  if (!isWhole || !given.every((key) => keys.includes(key))) throw invalid();
  const word = member(details, form.status);
  const status = word === undefined && !form.isComplete ? "SUCCESS" : word;
  if (status !== "SUCCESS" && status !== "FAILURE") throw invalid();
  const id = textOf(details, form.id);
  const reason = textOf(details, form.reason);
  return {
    entry: "signal",
    status,
    data: member(details, form.data) ?? null,
    ...(id === undefined ? {} : { id }),
    ...(reason === undefined ? {} : { reason }),
  };
};

export const waitHandleOf = (
  row: Pick<Resource, "tenant" | "stackId" | "physicalResourceId">,
): WaitHandle => ({
  tenant: row.tenant,
  stackId: row.stackId,
  handleId: present(row.physicalResourceId, "the id of a wait condition handle"),
});

export const wakeWaiters = async (
  engine: Ports,
  { tenant, stackId }: Resource,
  log: readonly WaitLogEntry[],
): Promise<void> => {
  for (const { resourceId, generation } of waitStateOf(log).waiters) {
    const waiter = { tenant, stackId, resourceId, generation };
    await signalResource(engine, waiter, { reason: null, final: true });
  }
};

/** The answer contains all signals for CloudFormation's senders, and nothing for Heat's. */
export const signalWaitHandle =
  (engine: Ports, form: SignalForm): Signals["handleSignal"] =>
  async (row, details) => {
    if (form.isComplete && details === null) return null;
    checkSize(details);
    const signal = readSignal(!form.isComplete && isEmpty(details) ? {} : details, form);
    const log = await appendToWaitLog(engine, waitHandleOf(row), signal);
    const { status, reason } = lastSignal(log, signal);
    await recordSignal(engine, row, `status:${status} reason:${reason}`);
    const { signals } = waitStateOf(log);
    await wakeWaiters(engine, row, log);
    if (!form.isComplete) return null;
    const metadata = [...signals].map(([id, stored]): [string, JsonObject] => [
      id,
      {
        [form.status]: stored.status,
        [form.reason]: stored.reason,
        [form.data]: stored.data,
      },
    ]);
    return { resource: row.name, metadata: mapOf(metadata) };
  };
