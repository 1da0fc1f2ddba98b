/**
 * A request to a signed signal URL: PUT or POST /v1/agent/signal/{id}. The id is that of a derived
 * config or of a wait condition handle.
 */
import { badRequest, entityNotFound, gone, RequestError } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import { type Resource, refusedSignal } from "#lib/model/resource.ts";
import type { DeploymentRecord, SignalTarget } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { resourceContext } from "#lib/stack/resource-context.ts";
import { findSignalTarget } from "../agent-requests/agent-target.ts";
import { bestEffortWrite, Refusal, recordingRefusals } from "../agent-requests/evidence.ts";
import {
  type AgentRequest,
  checkMethod,
  checkSignature,
  hasExpired,
  parseSignatureQuery,
  signalExpiry,
} from "../agent-requests/urls.ts";
import { recordProgress, recordResult, recordWithoutEffect } from "../diagnosis/record-signal.ts";
import { acceptSignal, answerWithoutEffect, type SignalAnswer } from "./accept-signal.ts";
import {
  checkSignalSize,
  openUpload,
  parseSignal,
  parseSignalJson,
  readUpload,
  signalBlobKey,
  uploadIdIn,
  withUploadId,
} from "./signal-body.ts";

export const SIGNAL_METHODS = ["PUT", "POST"] as const;

export interface SignalRequest extends AgentRequest {
  readonly body: string;
}

/**
 * Throws 405, 413, 403, 404, 400 and 410. A signal for a former or an ended action gets 200 without
 * effect. All of these leave evidence if the id is known.
 */
export const receiveSignal = async (
  ports: Ports,
  derivedConfigId: string,
  request: SignalRequest,
): Promise<SignalAnswer> => {
  const { subject, target } = await findSignalTarget(ports, derivedConfigId);
  return recordingRefusals(ports, target, async () => {
    const verified = await verifyRequest(ports, derivedConfigId, subject, request);
    const { deploymentId } = verified;
    if (request.query["upload"] !== undefined) {
      const document = await openUpload(ports, verified, parseSignal(request.body));
      return { status: 200, effect: "upload opened", document };
    }
    return deploymentId === null
      ? acceptSignalForHandle(ports, verified, request.body)
      : acceptSignalForDeployment(ports, verified, deploymentId, request.body);
  });
};

/** Checks the head of a request before its body is read. Throws 405, 403 and 404. */
export const admitSignal = async (
  ports: Ports,
  derivedConfigId: string,
  head: AgentRequest,
): Promise<SignalTarget> => {
  const { subject, target } = await findSignalTarget(ports, derivedConfigId);
  const request = { ...head, body: "" };
  return recordingRefusals(ports, target, async () =>
    verifyRequest(ports, derivedConfigId, subject, request),
  );
};

const verifyRequest = async (
  ports: Ports,
  derivedConfigId: string,
  target: SignalTarget | null,
  { method, query, body }: SignalRequest,
): Promise<SignalTarget> => {
  checkMethod(SIGNAL_METHODS, method);
  checkSignalSize(body);
  const signature = parseSignatureQuery(query);
  if (target === null) throw new Refusal("wrong_scope", entityNotFound("Signal", derivedConfigId));
  const grant = { tenant: target.tenant, kind: "signal" as const, id: derivedConfigId };
  const isAwaited = hasExpired(ports, signature.exp) && (await waits(ports, target, signature.exp));
  checkSignature(ports, grant, signature, isAwaited);
  return target;
};

/**
 * Whether the operation still waits because its deadline was extended: a URL made now would be
 * valid. A URL that had expired when the operation began belongs to an earlier operation.
 */
const waits = async (
  ports: Ports,
  { stackId, resourceId: id, generation }: SignalTarget,
  exp: number,
): Promise<boolean> => {
  const operation = (await ports.store.getResource({ stackId, id }))?.operation;
  if (operation?.generation !== generation || exp * 1_000 < operation.startedAt) return false;
  return !hasExpired(ports, signalExpiry(operation.deadline));
};

const acceptSignalForDeployment = async (
  ports: Ports,
  target: SignalTarget,
  deploymentId: string,
  body: string,
): Promise<SignalAnswer> => {
  // A malformed body gets 400 even if its deployment has been deleted.
  const details = parseSignal(body);
  const uploadId = uploadIdIn(details);
  const { serverId } = target;
  const deployment = await ports.softwareConfigs.getDeployment(serverId, deploymentId);
  const delivery = { ...target, deploymentId };
  // The old run keeps the agent busy, and everything else on its server waits for its end.
  const noteOldRun = () => bestEffortWrite(() => recordWithoutEffect(ports, delivery, details));
  if (deployment === null) {
    await noteOldRun();
    throw deletedRefusal("deployment");
  }
  const answer =
    uploadId === null
      ? await acceptSignal(ports, target, deployment, body)
      : await acceptUploadedSignal(ports, target, deployment, uploadId);
  await bestEffortWrite(async () => {
    if (answer.effect === "progress noted") await recordProgress(ports, delivery, details);
    if (answer.effect === "result stored") await recordResult(ports, delivery);
  });
  if (answer.effect === "none") await noteOldRun();
  return answer;
};

/** A missing upload is normal if its result is stored or no longer awaited. */
const acceptUploadedSignal = async (
  ports: Ports,
  target: SignalTarget,
  deployment: DeploymentRecord,
  uploadId: string,
): Promise<SignalAnswer> => {
  const body = await readUpload(ports, target, uploadId);
  if (body !== null) return acceptSignal(ports, target, deployment, withUploadId(body, uploadId));
  const isAwaited =
    deployment.derivedConfigId === target.derivedConfigId && deployment.status === "IN_PROGRESS";
  if (isAwaited && (await ports.blobs.get(signalBlobKey(target))) === null) {
    throw new Refusal("not_valid", badRequest("The upload that this signal names is not there."));
  }
  return answerWithoutEffect(ports, target, "duplicate");
};

const acceptSignalForHandle = async (
  ports: Ports,
  target: SignalTarget,
  body: string,
): Promise<SignalAnswer> => {
  const { stackId, resourceId: id, derivedConfigId } = target;
  const row = await ports.store.getResource({ stackId, id });
  const isThere = row?.physicalResourceId === derivedConfigId;
  const uploads = row && (await ports.resourceTypes.get(row.type))?.textUploads;
  if (row !== null && uploads) {
    if (!isThere || row.action === "DELETE") throw deletedRefusal("signal handle");
    await uploads.handleText(row, body);
    return { status: 200, effect: "result stored" };
  }
  const details = parseSignalJson(body);
  if (row === null || !isThere) throw deletedRefusal("resource");
  const document = await signalRow(ports, row, details);
  return { status: 200, effect: "result stored", document };
};

const deletedRefusal = (what: string): Refusal =>
  new Refusal("deleted", gone(`The ${what} that this signal is for has been deleted.`));

const REFUSED_IN: readonly Resource["action"][] = ["SUSPEND", "DELETE"];

/** Writes one event per action that refuses signals, so that signals cannot fill the store. */
const recordRefusal = async ({ store }: Ports, row: Resource): Promise<void> => {
  const signalReason = refusedSignal(row.action);
  if (row.signalReason === signalReason) return;
  await store.writeResource(
    { stackId: row.stackId, id: row.id },
    [{ clause: "actionIs", action: row.action }],
    { set: { signalReason } },
  );
};

/**
 * Throws 400 if the type does not support signals, the resource refuses them now, or the signal
 * does not have the form that the type expects.
 */
export const signalRow = async (ports: Ports, row: Resource, details: Json): Promise<Json> => {
  const signals = (await ports.resourceTypes.get(row.type))?.signals;
  if (signals === undefined) {
    const message = "signal is not supported for resource.";
    throw new RequestError("ResourceActionNotSupported", 400, message);
  }
  if (signals.takenAlways !== true && REFUSED_IN.includes(row.action)) {
    await recordRefusal(ports, row);
    const message = `Signal resource during ${row.action} is not supported.`;
    throw new Refusal("not_valid", new RequestError("NotSupported", 400, message));
  }
  return signals.handleSignal(row, details, resourceContext(ports, row));
};
