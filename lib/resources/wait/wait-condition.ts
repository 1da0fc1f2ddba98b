/** Conditions that wait until a handle has been signalled often enough. A signal wakes them; polls are the net below it. */
import * as z from "zod/mini";
import type { Json } from "#lib/json.ts";
import type { SignalTarget } from "#lib/model/deployment.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, Progress, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_TYPE } from "#lib/resources/call-limits.ts";
import {
  appendToWaitLog,
  readWaitLog,
  WAIT_LOG_ENTRIES_MAX,
  WAIT_SIGNALS_MAX,
  type WaitHandle,
  type WaitLogEntry,
} from "./wait-log.ts";
import { dataText, judgeWait, waitStateOf } from "./wait-state.ts";

const TIMEOUT_SECONDS_MAX = 43_200;
const POLL_MS_MIN = 5_000;
const POLL_MS_MAX = 30_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Wait {
  readonly handle: string;
  readonly count: number;
  readonly timeoutMs: number;
}

/** Heat's and CloudFormation's conditions differ in what things are called, and in how they take a handle that is none. */
interface Form {
  readonly handle: string;
  readonly timeout: string;
  readonly count: string;
  readonly data: string;
  readonly takesIds: boolean;
  readonly refusal: (handle: string, found: SignalTarget | null, call: ProviderCall) => string;
}

const HEAT: Form = {
  handle: "handle",
  timeout: "timeout",
  count: "count",
  data: "data",
  takesIds: true,
  refusal: (handle) => `${handle} is not a valid wait condition handle.`,
};

const AWS: Form = {
  handle: "Handle",
  timeout: "Timeout",
  count: "Count",
  data: "Data",
  takesIds: false,
  refusal: (handle, found, { tenant, stackId }) => {
    const wrong = (what: string): string => `WaitCondition invalid Handle ${what}`;
    if (found === null) return wrong(handle);
    if (found.tenant !== tenant) return wrong(`tenant ${found.tenant}`);
    return wrong(found.stackId === stackId ? handle : `stack ${found.stackId}`);
  },
};

const numbers = z.object({ timeout: z.number(), count: z.number() });

const readWait = ({ properties }: ProviderCall, form: Form): Wait => {
  const { timeout, count } = numbers.parse({
    timeout: properties[form.timeout],
    count: properties[form.count] ?? 1,
  });
  return { handle: String(properties[form.handle]), count, timeoutMs: timeout * 1_000 };
};

/** A handle is named by its id, or by its URL, whose last segment is the id. */
const handleIdOf = (handle: string, { takesIds }: Form): string | null => {
  if (UUID.test(handle)) return takesIds ? handle : null;
  const id = URL.canParse(handle) ? new URL(handle).pathname.split("/").at(-1) : undefined;
  return id !== undefined && UUID.test(id) ? id : null;
};

const targetOf = async (
  { softwareConfigs }: Ports,
  handleId: string | null,
): Promise<SignalTarget | null> => {
  const target = handleId === null ? null : await softwareConfigs.getSignalTarget(handleId);
  return target?.deploymentId === null ? target : null;
};

const isOf = (row: Resource | null, handleId: string): boolean =>
  row !== null && row.physicalResourceId === handleId;

/** The handle's log; text: there is no such handle in this stack. */
const findHandle = async (
  call: ProviderCall,
  ports: Ports,
  form: Form,
  handle: string,
): Promise<WaitHandle | string> => {
  const { tenant, stackId } = call;
  const handleId = handleIdOf(handle, form);
  const target = await targetOf(ports, handleId);
  const isHere = target?.tenant === tenant && target.stackId === stackId;
  if (target === null || handleId === null || !isHere) return form.refusal(handle, target, call);
  const row = await ports.store.getResource({ stackId, id: target.resourceId });
  return isOf(row, handleId) ? { tenant, stackId, handleId } : form.refusal(handle, target, call);
};

const progressOf = (
  form: Form,
  log: readonly WaitLogEntry[],
  { count, timeoutMs }: Wait,
  at: { readonly call: ProviderCall; readonly ports: Ports; readonly startedAt: number },
): Progress => {
  const { call, ports, startedAt } = at;
  const physicalResourceId = call.physicalResourceId ?? ports.ids.derive(call.token);
  const now = ports.clock.now();
  const leftMs = startedAt + timeoutMs - now;
  const state = waitStateOf(log);
  const verdict = judgeWait(state, count, leftMs <= 0);
  const attributes: Record<string, Json> = { [form.data]: dataText(state) };
  if (verdict.verdict === "complete") {
    return { state: "finished", physicalResourceId, attributes, refId: call.resourceName };
  }
  if (verdict.verdict === "failed") {
    const { reason, errorType } = verdict;
    return { state: "failed", reason, errorType, physicalResourceId, attributes };
  }
  const pollAfterMs = Math.min(Math.max(now - startedAt, POLL_MS_MIN), POLL_MS_MAX, leftMs);
  return { state: "waiting", handle: String(startedAt), pollAfterMs, physicalResourceId };
};

/** CREATE, and UPDATE, which waits afresh with the signals that have come. */
const begin =
  (form: Form): Handler =>
  async (call, ports) => {
    const wait = readWait(call, form);
    const failed = (reason: string): Progress => ({
      state: "failed",
      reason,
      errorType: "ValueError",
    });
    if (wait.count > WAIT_SIGNALS_MAX) {
      return failed(`A handle takes at most ${WAIT_SIGNALS_MAX} signals.`);
    }
    const handle = await findHandle(call, ports, form, wait.handle);
    if (typeof handle === "string") return failed(handle);
    const { resourceId, generation } = call;
    const log = await readWaitLog(ports, handle);
    const isKnown = waitStateOf(log).waiters.some(
      (one) => one.resourceId === resourceId && one.generation === generation,
    );
    const entry = { entry: "waiter" as const, resourceId, generation };
    const seen = isKnown ? log : await appendToWaitLog(ports, handle, entry);
    return progressOf(form, seen, wait, { call, ports, startedAt: ports.clock.now() });
  };

const look =
  (form: Form): NonNullable<ResourceType["checkComplete"]> =>
  async (call, startedAt, ports) => {
    const wait = readWait(call, form);
    const handleId = handleIdOf(wait.handle, form) ?? "";
    const { tenant, stackId } = call;
    const log = await readWaitLog(ports, { tenant, stackId, handleId });
    return progressOf(form, log, wait, { call, ports, startedAt: Number(startedAt) });
  };

/** Heat empties the handle with it. A handle that is gone already needs no emptying. */
const clear =
  (form: Form): Handler =>
  async (call, ports) => {
    const { handle: given } = readWait(call, form);
    const handle = await findHandle(call, ports, form, given);
    if (typeof handle !== "string" && call.physicalResourceId !== null) {
      const log = await readWaitLog(ports, handle);
      // A log without any room left must not make the condition undeletable.
      const isNeeded = waitStateOf(log).signals.size > 0 && log.length < WAIT_LOG_ENTRIES_MAX;
      if (isNeeded) await appendToWaitLog(ports, handle, { entry: "cleared" });
    }
    return { state: "finished", physicalResourceId: null };
  };

const properties = (form: Form, timeout: PropertySchema["type"]): PropertySchemas => ({
  [form.handle]: { type: "string", description: "The handle to wait for.", required: true },
  [form.timeout]: {
    type: timeout,
    description: "How many seconds to wait.",
    required: true,
    constraints: [{ range: { min: 1, max: TIMEOUT_SECONDS_MAX } }],
  },
  [form.count]: {
    type: "integer",
    description: "How many signals to wait for.",
    default: 1,
    constraints: [{ range: { min: 1 } }],
    updateAllowed: true,
  },
});

const conditionType = (
  form: Form,
  type: string,
  timeout: PropertySchema["type"],
): ResourceType => ({
  ...OWN_TYPE,
  interruptible: true,
  type,
  description: "Waits until its handle has been signalled, so many times and for so long.",
  properties: properties(form, timeout),
  attributes: {
    [form.data]: { description: "JSON text: the data of each signal by its id." },
  },
  handleCreate: begin(form),
  handleUpdate: begin(form),
  handleDelete: clear(form),
  checkComplete: look(form),
});

export const waitCondition = conditionType(HEAT, "OS::Heat::WaitCondition", "number");

export const awsWaitCondition = conditionType(AWS, "AWS::CloudFormation::WaitCondition", "integer");
