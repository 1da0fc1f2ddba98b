/** A signal to a wait condition handle, of Heat's form or CloudFormation's: stored, told as an event, and shown to whoever waits. */
import { signalResource } from "#lib/convergence/signal-resource.ts";
import { badRequest, present, RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { Refusal } from "#lib/software-config/agent-requests/evidence.ts";
import { isEmpty, member } from "#lib/template/json-shape.ts";
import { pythonText } from "#lib/template/python-text.ts";
import { appendToWaitLog, type WaitHandle, type WaitSignal } from "./wait-log.ts";
import { lastSignal, waitStateOf } from "./wait-state.ts";

/** Of one signal, as JSON text. Its data become part of an attribute, which others read. */
export const WAIT_SIGNAL_BYTES_MAX = 65_536;
const EVENT_REASON_CHARS_MAX = 1_000;

/** What the parts of a signal are called. */
export interface SignalForm {
  readonly status: string;
  readonly reason: string;
  readonly data: string;
  readonly id: string;
  /** CloudFormation wants all of them, and takes an empty body for no signal; Heat has defaults. */
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

/** Throws 400 with Heat's text for anything that is not of the form. */
const readSignal = (details: Json, form: SignalForm): WaitSignal => {
  if (!isJsonObject(details)) throw invalid();
  const keys = [form.status, form.reason, form.data, form.id];
  const given = Object.keys(details);
  const isWhole = !form.isComplete || given.length === keys.length;
  if (!isWhole || !given.every((key) => keys.includes(key))) throw invalid();
  const word = member(details, form.status);
  const status = word === undefined && !form.isComplete ? "SUCCESS" : word;
  if (status !== "SUCCESS" && status !== "FAILURE") throw invalid();
  const [id, reason] = [textOf(details, form.id), textOf(details, form.reason)];
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

/** The event stands at the handle. Where the row has moved on to another action, nobody is told: it says nothing of the signal. */
const tell = async (ports: Ports, row: Resource, reason: string): Promise<void> => {
  await ports.store.writeResource(
    { stackId: row.stackId, id: row.id },
    [{ clause: "actionIs", action: row.action }],
    { set: { signalReason: `Signal: ${reason}`.slice(0, EVENT_REASON_CHARS_MAX) } },
  );
};

/** For `ResourceType.handleSignal`. CloudFormation's sender is answered with all signals there are. */
export const signalWaitHandle =
  (form: SignalForm) =>
  async (row: Resource, details: Json, ports: Ports): Promise<Json> => {
    if (form.isComplete && details === null) return null;
    checkSize(details);
    const signal = readSignal(!form.isComplete && isEmpty(details) ? {} : details, form);
    const log = await appendToWaitLog(ports, waitHandleOf(row), signal);
    const { status, reason } = lastSignal(log, signal);
    await tell(ports, row, `status:${status} reason:${reason}`);
    const { signals, waiters } = waitStateOf(log);
    for (const { resourceId, generation } of waiters) {
      const waiter = { tenant: row.tenant, stackId: row.stackId, resourceId, generation };
      await signalResource(ports, waiter, { reason: null, final: true });
    }
    if (!form.isComplete) return null;
    const metadata = [...signals].map(([id, stored]) => [
      id,
      {
        [form.status]: stored.status,
        [form.reason]: stored.reason,
        [form.data]: stored.data,
      },
    ]);
    return { resource: row.name, metadata: Object.fromEntries(metadata) };
  };
