import * as z from "zod/mini";
import { plainNumber } from "#lib/json-schema.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { SignalTarget } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type {
  Handler,
  Lifecycle,
  Progress,
  ProviderCall,
  ResourceType,
  Waiting,
} from "#lib/ports/resource-type.ts";
import { OWN_LIFECYCLE } from "#lib/resources/lifecycles.ts";
import { openProperties } from "#lib/stack/record/reference.ts";
import { deleteOfResolved } from "../lifecycles.ts";
import { isWaitConditionHandle } from "./wait-condition-handle.ts";
import {
  appendToWaitLog,
  dataText,
  readWaitLog,
  type StoredSignal,
  WAIT_LOG_ENTRIES_MAX,
  WAIT_SIGNALS_MAX,
  type WaitLogEntry,
  type WaitState,
  waitStateOf,
} from "./wait-log.ts";
import {
  type FoundHandle,
  failedWait,
  findHandle,
  handleIdOf,
  joinWaiters,
  type Look,
  logOfHandle,
  nameOfObject,
  TIMEOUT_SECONDS_MAX,
  timedOut,
  type WaitVerdict,
  waitProgress,
} from "./waiter.ts";

interface Wait {
  readonly handle: string;
  readonly count: number;
  readonly timeoutSeconds: number;
}

/** The conditions of Heat and CloudFormation differ in names and in errors for a wrong handle. */
interface Form {
  readonly handle: string;
  readonly timeout: string;
  readonly count: string;
  readonly data: string;
  readonly takesIds: boolean;
  readonly templateName: string;
  readonly refusal: (handle: string, found: SignalTarget | null, call: ProviderCall) => string;
}

const HEAT: Form = {
  handle: "handle",
  timeout: "timeout",
  count: "count",
  data: "data",
  takesIds: true,
  templateName: "HeatWaitCondition",
  refusal: (handle) => `${handle} is not a valid wait condition handle.`,
};

const AWS: Form = {
  handle: "Handle",
  timeout: "Timeout",
  count: "Count",
  data: "Data",
  takesIds: false,
  templateName: "WaitCondition",
  refusal: (handle, found, { tenant, stackId }) => {
    const wrong = (what: string): string => `WaitCondition invalid Handle ${what}`;
    if (found === null) return wrong(handle);
    if (found.tenant !== tenant) return wrong(`tenant ${found.tenant}`);
    return wrong(found.stackId === stackId ? handle : `stack ${found.stackId}`);
  },
};

const numbers = z.object({ timeout: plainNumber, count: plainNumber });

const readWait = ({ properties }: Pick<ProviderCall, "properties">, form: Form): Wait => {
  const { timeout, count } = numbers.parse({
    timeout: properties[form.timeout],
    count: properties[form.count] ?? 1,
  });
  return { handle: String(properties[form.handle]), count, timeoutSeconds: timeout };
};

const handleOf = (
  engine: Ports,
  call: ProviderCall,
  { takesIds }: Form,
  handle: string,
): Promise<FoundHandle> =>
  findHandle(engine, call, handleIdOf(handle, takesIds), isWaitConditionHandle);

const refusalOf = async (
  engine: Ports,
  call: ProviderCall,
  { takesIds, refusal }: Form,
  handle: string,
  found: SignalTarget | null,
): Promise<string> => {
  const id = handleIdOf(handle, takesIds) ?? (takesIds ? handle : null);
  return refusal((await nameOfObject(engine, call.stackId, id)) ?? handle, found, call);
};

const reasonsOf = ({ signals }: WaitState, status: StoredSignal["status"]): readonly string[] =>
  [...signals.values()].filter((signal) => signal.status === status).map(({ reason }) => reason);

/** Checks in Heat's order: the timeout, failures, then the count. */
const judgeWait = (state: WaitState, count: number, isOver: boolean): WaitVerdict => {
  if (state.needsNoSignal) return { verdict: "complete" };
  if (isOver) return timedOut("WaitConditionTimeout", reasonsOf(state, "SUCCESS"), count);
  const failures = reasonsOf(state, "FAILURE");
  if (failures.length > 0) return failedWait("WaitConditionFailure", failures.join(";"));
  return { verdict: state.signals.size >= count ? "complete" : "waiting" };
};

const progressOf = (
  form: Form,
  log: readonly WaitLogEntry[],
  { count, timeoutSeconds }: Wait,
  at: Look,
): Progress => {
  const state = waitStateOf(log);
  const judge = (isOver: boolean): WaitVerdict => judgeWait(state, count, isOver);
  return waitProgress(at, timeoutSeconds, judge, { [form.data]: dataText(state) });
};

const begin =
  (engine: Ports, form: Form): Handler =>
  async (call, context) => {
    const wait = readWait(call, form);
    const failed = (reason: string): Progress => ({
      state: "failed",
      reason,
      errorType: "ValueError",
    });
    if (wait.count > WAIT_SIGNALS_MAX) {
      return failed(`A handle takes at most ${WAIT_SIGNALS_MAX} signals.`);
    }
    const found = await handleOf(engine, call, form, wait.handle);
    if (found.handle === null) {
      return failed(await refusalOf(engine, call, form, wait.handle, found.target));
    }
    const log = await joinWaiters(engine, found.handle, call);
    return progressOf(form, log, wait, { call, context, startedAt: context.clock.now() });
  };

const look =
  (engine: Ports, form: Form): NonNullable<Lifecycle["checkComplete"]> =>
  async (call, startedAt, context) => {
    const wait = readWait(call, form);
    const log = await logOfHandle(engine, call, handleIdOf(wait.handle, form.takesIds));
    return progressOf(form, log, wait, { call, context, startedAt: Number(startedAt) });
  };

const explainSignals =
  (engine: Ports, form: Form): NonNullable<Waiting["explainWait"]> =>
  async (row) => {
    const { operation } = row;
    if (operation === null || operation.action === "DELETE") return null;
    const given = await openProperties(engine, row, operation.properties);
    const { handle, count } = readWait({ properties: given }, form);
    const log = await logOfHandle(engine, row, handleIdOf(handle, form.takesIds));
    const { signals } = waitStateOf(log);
    return `${signals.size} of ${count} signals have come`;
  };

/** As in Heat, deleting a condition clears its handle. */
const clear =
  (engine: Ports, form: Form): Handler =>
  async (call) => {
    const { handle: given } = readWait(call, form);
    const { handle } = await handleOf(engine, call, form, given);
    if (handle !== null && call.physicalResourceId !== null) {
      const log = await readWaitLog(engine, handle);
      // A full log must not prevent the deletion.
      const isNeeded = waitStateOf(log).signals.size > 0 && log.length < WAIT_LOG_ENTRIES_MAX;
      if (isNeeded) await appendToWaitLog(engine, handle, { entry: "cleared" });
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
  engine: Ports,
  form: Form,
  type: string,
  timeout: PropertySchema["type"],
  since: string,
): ResourceType => ({
  type,
  schema: {
    description: "Waits until its handle has enough signals, for a limited time.",
    support: { since },
    templateName: form.templateName,
    properties: properties(form, timeout),
    attributes: {
      [form.data]: { description: "JSON text: the data of each signal by its id.", type: "string" },
    },
    // A handle in the same stack has no signals yet. Any other handle is not found.
    initialAttribute: (_, given, isResource) =>
      isResource(String(given[form.handle])) ? "{}" : "",
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: begin(engine, form),
    handleUpdate: begin(engine, form),
    handleDelete: deleteOfResolved(clear(engine, form)),
    checkComplete: look(engine, form),
  },
  waiting: { explainWait: explainSignals(engine, form) },
});

export const waitCondition = (engine: Ports): ResourceType =>
  conditionType(engine, HEAT, "OS::Heat::WaitCondition", "number", "2014.2");

export const awsWaitCondition = (engine: Ports): ResourceType =>
  conditionType(engine, AWS, "AWS::CloudFormation::WaitCondition", "integer", "2014.1");
