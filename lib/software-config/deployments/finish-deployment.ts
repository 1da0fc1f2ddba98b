/**
 * The second half of a deployment's operation: find the result and record it. The record is written
 * before the operation ends, so a repetition after a crash finds the same result.
 */

import { RetryLater } from "#lib/errors.ts";
import type { ConfigContent, DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Interruption, Progress, ProviderCall } from "#lib/ports/resource-type.ts";
import {
  openBlob,
  openDerivedConfig,
  openOutputValues,
  sealDeploymentField,
} from "../configs/config-content.ts";
import { explainDeployment, summarizeDeployment } from "../diagnosis/explain-deployment.ts";
import { NEVER_SEEN_WAIT_MINS_MAX, UNREACHABLE_MS_MIN } from "../diagnosis/limits.ts";
import { wasNeverSeen, whyUnreachable } from "../diagnosis/signs-of-life.ts";
import { parseSignal, signalBlobKey, uploadIdIn } from "../signals/signal-body.ts";
import { DEPLOYMENT_CANCELLED, decideSignal } from "../signals/signal-decision.ts";
import { type DeploymentRequest, findRecord, readDeploymentRequest } from "./deployment-request.ts";
import { whyServerIsGone, whyServerIsGoneNow } from "./gone-server.ts";
import {
  endWithResult,
  failedRecord,
  ownTimeoutReason,
  removeDeployment,
} from "./operation-end.ts";
import { deleteWholeOutput, storeWholeOutput } from "./printed-output.ts";

/** A signal wakes the resource. Polls only cover a lost wake-up, so they become rarer with time. */
export const POLL_MS_MIN = 5_000;
const POLL_MS_MAX = 30_000;
const MINUTE_MS = 60_000;

export const checkDeployment = async (
  call: ProviderCall,
  _handle: string,
  ports: Ports,
): Promise<Progress> => {
  const request = readDeploymentRequest(call, ports);
  const record = await findRecord(ports, request);
  if (record?.generation !== call.generation) {
    return call.action === "DELETE"
      ? removeDeployment(ports, request)
      : { state: "failed", reason: "The record of this deployment has been removed or replaced." };
  }
  const content = await openDerivedConfig(ports.cipher, record);
  // A result that was stored before the operation was cancelled still counts.
  const isOpen = record.status === "IN_PROGRESS" || record.statusReason === DEPLOYMENT_CANCELLED;
  const finished = isOpen ? await recordWithResult(ports, request, record, content) : null;
  if (finished !== null) {
    const isRecorded = await ports.softwareConfigs.changeDeployment(finished.record, record);
    if (!isRecorded) return checkAgainSoon(request);
    await deleteConsumed(ports, record, finished);
    return endWithResult(ports, request, finished.record, content);
  }
  if (record.status !== "IN_PROGRESS") {
    // A former visit may have recorded the result and crashed before it deleted the signal.
    await ports.blobs.delete(signalBlobKey(record));
    return endWithResult(ports, request, record, content);
  }
  if (call.action === "DELETE" && (await serverIsGone(ports, request))) {
    return removeDeployment(ports, request);
  }
  const why = await whyNotToWait(ports, request, record);
  if (why !== null && call.action === "DELETE") return removeDeployment(ports, request, why);
  if (why !== null) return failWaiting(ports, request, record, content, why);
  return waitOrTimeOut(ports, request, record, content);
};

const failWaiting = async (
  ports: Ports,
  request: DeploymentRequest,
  record: DeploymentRecord,
  content: ConfigContent,
  why: string,
): Promise<Progress> => {
  const failed = failedRecord(ports, record, why);
  if (!(await ports.softwareConfigs.changeDeployment(failed, record))) {
    return checkAgainSoon(request);
  }
  return endWithResult(ports, request, failed, content);
};

/**
 * Why waiting is pointless. Asks the provider whether a silent server is gone. A DELETE for a
 * server that was never seen waits NEVER_SEEN_WAIT_MINS_MAX only, because nothing ran there. A user
 * may give up an unreachable server at once.
 * @returns null to go on waiting
 */
const whyNotToWait = async (
  ports: Ports,
  { call, properties }: DeploymentRequest,
  record: DeploymentRecord,
): Promise<string | null> => {
  const { tenant, action, abandonsUnreachable } = call;
  const isGone = await whyServerIsGone(ports, tenant, properties.server);
  if (isGone !== null) return isGone;
  const now = ports.clock.now();
  const waitedMs = now - record.updatedAt;
  if (waitedMs < UNREACHABLE_MS_MIN && !abandonsUnreachable) return null;
  const { facts } = await explainDeployment(ports, record);
  const why = whyUnreachable(facts, now);
  if (why !== null || abandonsUnreachable) {
    const isGoneNow = await whyServerIsGoneNow(ports, tenant, properties.server);
    if (isGoneNow !== null) return isGoneNow;
  }
  const hasWaited = waitedMs >= NEVER_SEEN_WAIT_MINS_MAX * MINUTE_MS;
  if (why === null || action !== "DELETE" || !(hasWaited || abandonsUnreachable)) return null;
  if (abandonsUnreachable) return `${why}, and the user gave it up`;
  return wasNeverSeen(facts)
    ? `${why} in ${NEVER_SEEN_WAIT_MINS_MAX} minutes; it ran nothing, so there is nothing to undo`
    : null;
};

interface Finished {
  readonly record: DeploymentRecord;
  readonly wasUploaded: boolean;
}

const recordWithResult = async (
  ports: Ports,
  { call }: DeploymentRequest,
  record: DeploymentRecord,
  content: ConfigContent,
): Promise<Finished | null> => {
  const key = signalBlobKey(call);
  const sealed = await ports.blobs.get(key);
  if (sealed === null) return null;
  const details = parseSignal(await openBlob(ports.cipher, record, key, sealed));
  const previous = await openOutputValues(ports.cipher, record);
  const result = decideSignal(details, content.outputs, previous);
  if (result.kind !== "final") return null;
  const { status, statusReason, outputValues } = result;
  const finished = {
    ...record,
    status,
    statusReason,
    outputValues: await sealDeploymentField(ports.cipher, record, "outputValues", outputValues),
    wholeOutputOf: await storeWholeOutput(ports, record, details),
    updatedAt: ports.clock.now(),
  };
  // A user's own signal may contain any key, so only this delivery's upload may be deleted.
  return { record: finished, wasUploaded: uploadIdIn(details) === record.derivedConfigId };
};

const checkAgainSoon = ({ derivedConfigId, deploymentId }: DeploymentRequest): Progress => ({
  state: "waiting",
  handle: derivedConfigId,
  pollAfterMs: POLL_MS_MIN,
  physicalResourceId: deploymentId,
});

/** The record now contains the result, so its sources and the output that it replaced can go. */
const deleteConsumed = async (
  ports: Ports,
  before: DeploymentRecord,
  { record: { tenant, derivedConfigId, wholeOutputOf }, wasUploaded }: Finished,
): Promise<void> => {
  // The upload is deleted before the signal that names it, so a repetition after a crash finds
  // both.
  if (wasUploaded) await ports.uploads.delete({ tenant, id: derivedConfigId });
  await ports.blobs.delete(signalBlobKey(before));
  if (before.wholeOutputOf !== wholeOutputOf) await deleteWholeOutput(ports, before);
};

const serverIsGone = async (ports: Ports, { properties }: DeploymentRequest): Promise<boolean> =>
  (await ports.softwareConfigs.getServer(properties.server)) === null;

/**
 * The deployment's own timeout counts from its last delivery. The convergence engine watches the
 * stack's deadline.
 */
const waitOrTimeOut = async (
  ports: Ports,
  request: DeploymentRequest,
  record: DeploymentRecord,
  content: ConfigContent,
): Promise<Progress> => {
  const { timeout } = request.properties;
  const waitedMs = ports.clock.now() - record.updatedAt;
  const leftMs = timeout === null ? POLL_MS_MAX : timeout * 1_000 - waitedMs;
  if (leftMs > 0) {
    const { derivedConfigId: handle, deploymentId: physicalResourceId } = request;
    const pollAfterMs = Math.min(Math.max(waitedMs, POLL_MS_MIN), POLL_MS_MAX, leftMs);
    return { state: "waiting", handle, pollAfterMs, physicalResourceId };
  }
  const why = ownTimeoutReason(timeout, await summarizeDeployment(ports, record));
  // As with the stack's timeout, a dead agent must not make a stack undeletable.
  if (request.call.action === "DELETE") return removeDeployment(ports, request, why);
  return failWaiting(ports, request, record, content, why);
};

const ABANDON_TRIES_MAX = 5;

/**
 * Ends a deployment's operation that was overtaken, timed out or given up, and its record too, so
 * that the deployment no longer shows as awaited.
 * @returns what the operation was waiting for when its time ran out, otherwise null
 */
export const abandonDeployment = async (
  call: ProviderCall,
  ports: Ports,
  why: Interruption,
): Promise<string | null> => {
  const request = readDeploymentRequest(call, ports);
  const record = await findRecord(ports, request);
  const current = record?.generation === call.generation ? record : null;
  const waitedFor = why === "timed out" && current ? await explainTimeout(ports, current) : null;
  if (call.action === "DELETE") await removeDeployment(ports, request);
  else if (current !== null) await cancelRecord(ports, current);
  return waitedFor;
};

const cancelRecord = async (ports: Ports, read: DeploymentRecord): Promise<void> => {
  const { serverId, id, generation } = read;
  let record: DeploymentRecord | null = read;
  for (let tries = 0; tries < ABANDON_TRIES_MAX; tries += 1) {
    if (record?.generation !== generation || record.status !== "IN_PROGRESS") return;
    const cancelled = failedRecord(ports, record, DEPLOYMENT_CANCELLED);
    if (await ports.softwareConfigs.changeDeployment(cancelled, record)) return;
    record = await ports.softwareConfigs.getDeployment(serverId, id);
  }
  throw new RetryLater(`deployment ${id} is being delivered again and again`);
};

/**
 * A former attempt may have cancelled the record and crashed. The repetition must give the same
 * explanation.
 */
const explainTimeout = async (ports: Ports, record: DeploymentRecord): Promise<string | null> => {
  const isOpen = record.status === "IN_PROGRESS" || record.statusReason === DEPLOYMENT_CANCELLED;
  return isOpen ? summarizeDeployment(ports, { ...record, status: "IN_PROGRESS" }) : null;
};
