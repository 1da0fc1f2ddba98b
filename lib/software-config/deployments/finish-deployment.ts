/**
 * The second half of a deployment's operation: look for the result, and record what it says. The record
 * is written before the operation ends, so that whoever looks again after a crash finds the same.
 */
import { RetryLater } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { DeploymentRecord } from "#lib/model/deployment.ts";
import type { ConfigContent, ConfigOutput } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Interruption, Progress, ProviderCall } from "#lib/ports/resource-type.ts";
import { openContent, openObject, openText, sealObject } from "../configs/config-content.ts";
import { summarizeDeployment } from "../diagnosis/explain-deployment.ts";
import { parseSignal, signalBlobKey } from "../signals/receive-signal.ts";
import { DEPLOYMENT_CANCELLED, decideSignal } from "../signals/signal-decision.ts";
import { type DeploymentRequest, findRecord, readDeploymentRequest } from "./deployment-request.ts";
import { deleteWholeOutput, storeWholeOutput } from "./printed-output.ts";

/** A signal wakes the resource; polls are only the net below it, so they become rarer the longer it waits. */
export const POLL_MS_MIN = 5_000;
const POLL_MS_MAX = 30_000;
const STDERR_CHARS_MAX = 2_000;

/** Every declared output is an attribute, null until there is a value. */
const attributesOf = (outputs: readonly ConfigOutput[], values: JsonObject): JsonObject => {
  const names = ["deploy_stdout", "deploy_stderr", "deploy_status_code"];
  const absent = [...names, ...outputs.map(({ name }) => name)].map(
    (name) => [name, null] as const,
  );
  return { ...Object.fromEntries<Json>(absent), ...values };
};

/** The operation has nothing to wait for: outputs of earlier actions stay. */
export const withoutRun = async (
  ports: Ports,
  request: DeploymentRequest,
  { outputs }: ConfigContent,
  existing: DeploymentRecord | null,
): Promise<Progress> => {
  const values =
    existing === null ? {} : await openObject(ports.cipher, existing, existing.outputValues);
  return {
    state: "finished",
    physicalResourceId: request.deploymentId,
    attributes: attributesOf(outputs, values),
  };
};

/** With the record the document loses its entry; a late signal is then told that its deployment is gone. */
export const removeDeployment = async (
  ports: Ports,
  { call, properties, deploymentId }: DeploymentRequest,
): Promise<Progress> => {
  const { softwareConfigs } = ports;
  const record = await softwareConfigs.getDeployment(properties.server, deploymentId);
  if (record !== null && record.tenant !== call.tenant) {
    return { state: "finished", physicalResourceId: null };
  }
  if (record !== null && record.generation <= call.generation) {
    await deleteWholeOutput(ports, record);
  }
  await softwareConfigs.deleteDeployment(properties.server, deploymentId, call.generation);
  // A newer operation's record stays, and is to be found.
  const left = await softwareConfigs.getDeployment(properties.server, deploymentId);
  if (left === null) await softwareConfigs.deleteDeploymentPlace(call.tenant, deploymentId);
  return { state: "finished", physicalResourceId: null };
};

const stderrTail = (values: JsonObject): string => {
  const stderr = values["deploy_stderr"];
  if (typeof stderr !== "string" || stderr.trim() === "") return "";
  // A character that is cut in two would not survive being stored.
  return `; stderr: ${stderr.slice(-STDERR_CHARS_MAX).replace(/^[\udc00-\udfff]/, "")}`;
};

/** How the operation ends, from a record that has its result. */
const conclude = async (
  ports: Ports,
  request: DeploymentRequest,
  record: DeploymentRecord,
  content: ConfigContent,
): Promise<Progress> => {
  const values = await openObject(ports.cipher, record, record.outputValues);
  const attributes = attributesOf(content.outputs, values);
  const physicalResourceId = request.deploymentId;
  if (record.status === "FAILED") {
    const reason = `Deployment to server failed: ${record.statusReason}${stderrTail(values)}`;
    return { state: "failed", reason, physicalResourceId, attributes };
  }
  return request.call.action === "DELETE"
    ? removeDeployment(ports, request)
    : { state: "finished", physicalResourceId, attributes };
};

/** The record as the first result makes it; null: there is none yet. */
const withResult = async (
  ports: Ports,
  { call }: DeploymentRequest,
  record: DeploymentRecord,
  content: ConfigContent,
): Promise<DeploymentRecord | null> => {
  const sealed = await ports.blobs.get(signalBlobKey(call));
  if (sealed === null) return null;
  const details = parseSignal(await openText(ports.cipher, record, sealed));
  const previous = await openObject(ports.cipher, record, record.outputValues);
  const result = decideSignal(details, content.outputs, previous);
  if (result.signal !== "final") return null;
  return {
    ...record,
    status: result.status,
    statusReason: result.statusReason,
    outputValues: await sealObject(ports.cipher, record, result.outputValues),
    wholeOutputOf: await storeWholeOutput(ports, record, details),
    updatedAt: ports.clock.now(),
  };
};

const serverIsGone = async (ports: Ports, { properties }: DeploymentRequest): Promise<boolean> =>
  (await ports.softwareConfigs.getServer(properties.server)) === null;

/** Something else was written since the record was read: another delivery, or the same result. The next look finds it. */
const changedMeanwhile = ({ derivedConfigId, deploymentId }: DeploymentRequest): Progress => ({
  state: "waiting",
  handle: derivedConfigId,
  pollAfterMs: POLL_MS_MIN,
  physicalResourceId: deploymentId,
});

/** The record has the result now, and is what a repeated look will find. */
const forgetSources = async (
  ports: Ports,
  before: DeploymentRecord,
  { wholeOutputOf }: DeploymentRecord,
): Promise<void> => {
  await ports.blobs.delete(signalBlobKey(before));
  if (before.wholeOutputOf !== wholeOutputOf) await deleteWholeOutput(ports, before);
};

/** Looks for the result of the operation, and records it. Which of its deliveries has brought it is all the same. */
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
  const content = await openContent(ports.cipher, record, record.derivedConfig);
  // A result that was stored before the cancel still counts.
  const isOpen = record.status === "IN_PROGRESS" || record.statusReason === DEPLOYMENT_CANCELLED;
  const finished = isOpen ? await withResult(ports, request, record, content) : null;
  if (finished !== null) {
    const isRecorded = await ports.softwareConfigs.changeDeployment(finished, record);
    if (!isRecorded) return changedMeanwhile(request);
    await forgetSources(ports, record, finished);
    return conclude(ports, request, finished, content);
  }
  if (record.status !== "IN_PROGRESS") {
    // Whoever recorded the result may have been cut off before he removed what it was made of.
    await ports.blobs.delete(signalBlobKey(record));
    return conclude(ports, request, record, content);
  }
  if (call.action === "DELETE" && (await serverIsGone(ports, request))) {
    return removeDeployment(ports, request);
  }
  return stillWaiting(ports, request, record, content);
};

/** Until the deployment's own time is up, if it has any, counted from its last delivery; the stack's deadline is not ours to watch. */
const stillWaiting = async (
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
  // As when the stack's time is up: a dead agent must not make a stack undeletable.
  if (request.call.action === "DELETE") return removeDeployment(ports, request);
  const summary = await summarizeDeployment(ports, record);
  const ended = endedRecord(ports, record, `No signal within ${timeout} seconds; ${summary}`);
  if (!(await ports.softwareConfigs.changeDeployment(ended, record))) {
    return changedMeanwhile(request);
  }
  return conclude(ports, request, ended, content);
};

const endedRecord = (
  ports: Ports,
  record: DeploymentRecord,
  statusReason: string,
): DeploymentRecord => ({
  ...record,
  status: "FAILED",
  statusReason,
  updatedAt: ports.clock.now(),
});

/** Each refusal is a delivery that a user has asked for at that very moment. */
const ABANDON_TRIES_MAX = 5;

/**
 * The operation was ended from outside: its document entry must not go on telling that it is awaited. Answers what it has
 * waited for, where its time was up.
 */
export const abandonDeployment = async (
  call: ProviderCall,
  ports: Ports,
  why: Interruption,
): Promise<string | null> => {
  const request = readDeploymentRequest(call, ports);
  const record = await findRecord(ports, request);
  const current = record?.generation === call.generation ? record : null;
  const waitedFor = why === "timed out" && current ? await explainEnd(ports, current) : null;
  if (call.action === "DELETE") await removeDeployment(ports, request);
  else if (current !== null) await endRecord(ports, current);
  return waitedFor;
};

/** Whatever delivery of the operation it stands for by then. */
const endRecord = async (ports: Ports, read: DeploymentRecord): Promise<void> => {
  const { serverId, id, generation } = read;
  let record: DeploymentRecord | null = read;
  for (let tries = 0; tries < ABANDON_TRIES_MAX; tries += 1) {
    if (record?.generation !== generation || record.status !== "IN_PROGRESS") return;
    const ended = endedRecord(ports, record, DEPLOYMENT_CANCELLED);
    if (await ports.softwareConfigs.changeDeployment(ended, record)) return;
    record = await ports.softwareConfigs.getDeployment(serverId, id);
  }
  throw new RetryLater(`deployment ${id} is being delivered again and again`);
};

/** An earlier attempt to end it may have been cut off: then the record says so already, and the explanation is the same. */
const explainEnd = async (ports: Ports, record: DeploymentRecord): Promise<string | null> => {
  const isOpen = record.status === "IN_PROGRESS" || record.statusReason === DEPLOYMENT_CANCELLED;
  return isOpen ? summarizeDeployment(ports, { ...record, status: "IN_PROGRESS" }) : null;
};
