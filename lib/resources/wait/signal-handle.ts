/**
 * What all kinds of handles share: an id, a signed URL that contains it, and a log of what was
 * sent.
 */
import * as z from "zod/mini";
import { signalResource } from "#lib/convergence/signal-resource.ts";
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { jsonObject, wrongPlaces } from "#lib/json-schema.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Adoption, Handler, Progress, ProviderCall } from "#lib/ports/resource-type.ts";
import { signalUrl } from "#lib/software-config/agent-requests/urls.ts";
import { tooLarge } from "#lib/software-config/signals/signal-body.ts";
import {
  appendToWaitLog,
  deleteWaitLog,
  readWaitLog,
  sentSignals,
  type WaitHandle,
  type WaitLogEntry,
  type WaitLogStore,
  waitStateOf,
} from "./wait-log.ts";

const DAY_MS = 24 * 3_600_000;
/** How long its URL is known: longer than any stack lives. */
const HANDLE_MS_MAX = 100 * 365 * DAY_MS;
const DELETED_HANDLE_MS = 30 * DAY_MS;
const NEVER_EXPIRES = 0;
const GEN = 1;

export const handleUrl = (engine: Ports, { tenant }: ProviderCall, id: string): string =>
  signalUrl(engine, { tenant, id, exp: NEVER_EXPIRES, gen: GEN });

export const makeHandle = async (engine: Ports, call: ProviderCall): Promise<string> => {
  const id = engine.ids.derive(call.token);
  const { tenant, stackId, resourceId, generation } = call;
  await engine.softwareConfigs.putSignalTarget({
    derivedConfigId: id,
    tenant,
    stackId,
    resourceId,
    serverId: id,
    deploymentId: null,
    generation,
    expiresAt: engine.clock.now() + HANDLE_MS_MAX,
  });
  return id;
};

type Deleted = Pick<ProviderCall, "tenant" | "stackId" | "physicalResourceId">;

/** Without this, the targets of all URLs of deleted stacks would be kept for a century. */
const forgetUrl = async (
  { softwareConfigs, clock }: Pick<Ports, "softwareConfigs" | "clock">,
  { tenant, stackId, physicalResourceId: id }: Deleted,
): Promise<void> => {
  const target = id === null ? null : await softwareConfigs.getSignalTarget(id);
  if (target?.tenant !== tenant || target.stackId !== stackId) return;
  const expiresAt = Math.min(target.expiresAt, clock.now() + DELETED_HANDLE_MS);
  await softwareConfigs.replaceSignalTarget({ ...target, expiresAt });
};

export const deleteUrl =
  (engine: Ports): Handler =>
  async (call) => {
    await forgetUrl(engine, call);
    return { state: "finished", physicalResourceId: null };
  };

export const deleteHandle =
  (engine: Ports): Handler =>
  async (call, context) => {
    const { tenant, stackId, physicalResourceId: handleId } = call;
    if (handleId !== null) await deleteWaitLog(engine, { tenant, stackId, handleId });
    return deleteUrl(engine)(call, context);
  };

const EVENT_REASON_CHARS_MAX = 1_000;

/**
 * Each signal makes an event, even if its text is the same as before. If the row has begun another
 * action by now, no event is made. A long text is cut, but `effect` is kept in full.
 */
export const recordSignal = async (
  engine: Ports,
  row: Resource,
  text: string,
  effect = "",
): Promise<void> => {
  const beginning = `Signal: ${text}`.slice(0, EVENT_REASON_CHARS_MAX - effect.length);
  const signalReason = beginning + effect;
  await engine.store.writeResource(
    { stackId: row.stackId, id: row.id },
    [{ clause: "actionIs", action: row.action }],
    { set: { signalReason, signalId: engine.ids.fresh() } },
  );
};

const describe = async (
  store: WaitLogStore,
  { tenant, stackId, physicalResourceId: handleId }: Resource,
): Promise<JsonObject | null> => {
  if (handleId === null) return null;
  const log = await readWaitLog(store, { tenant, stackId, handleId });
  const since = log.slice(log.findLastIndex(({ entry }) => entry === "cleared") + 1);
  const sent = since.filter(({ entry }) => entry === "signal" || entry === "text");
  return sent.length === 0 ? null : jsonObject.parse({ signals: sent });
};

const invalid = (problem: string): Progress => ({
  state: "failed",
  reason: `The state of the handle is invalid: ${problem}`,
  errorType: "BadRequest",
});

/** A repeated call skips the signals that an earlier worker has already restored. */
const adopt =
  (engine: Ports, create: Handler): Handler =>
  async (call, context) => {
    const read = z.safeParse(sentSignals, call.adopted?.state ?? { signals: [] });
    if (!read.success) return invalid(wrongPlaces(read.error));
    const progress = await create(call, context);
    if (progress.state !== "finished" || !progress.physicalResourceId) return progress;
    const { tenant, stackId } = call;
    const handle = { tenant, stackId, handleId: progress.physicalResourceId };
    const log = await readWaitLog(engine, handle);
    const kept = log.filter(({ entry }) => entry === "signal" || entry === "text").length;
    for (const entry of read.data.signals.slice(kept)) await appendToWaitLog(engine, handle, entry);
    return progress;
  };

/**
 * Adopts a handle. The former URL belongs to a deleted stack, so the handle is made anew. Its
 * former signals come from the document of the abandoned stack, so that a condition does not wait
 * again for machines that have already reported.
 */
export const handleAdoption = (engine: Ports, create: Handler): Adoption => ({
  handleAdopt: adopt(engine, create),
  describe: (row) => describe(engine, row),
});

/**
 * The limit of one signal as JSON text. Its data become part of an attribute.
 * @limit a signal to a wait condition
 * @beyond 413
 */
const WAIT_SIGNAL_BYTES_MAX = 65_536;

export const checkSignalSize = (text: string): void => {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > WAIT_SIGNAL_BYTES_MAX) throw tooLarge("signal", WAIT_SIGNAL_BYTES_MAX);
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
