/**
 * A signal by a signed URL: PUT or POST /v1/agent/signal/{id} (protocol P12). The id is a derived config's or a wait
 * condition handle's. The result of a deployment is stored before the resource is woken, and the first one stays: a
 * repeated signal answers 200 and changes nothing.
 */
import * as z from "zod/mini";
import { signalResource } from "#lib/convergence/signal-resource.ts";
import { badRequest, entityNotFound, gone, RequestError } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { DeploymentRecord, SignalTarget } from "#lib/model/deployment.ts";
import type { EvidenceKind } from "#lib/model/evidence.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openProperties } from "#lib/stack/reference.ts";
import { DEPTH_MAX, isDeeperThan, jsonFromText, TOO_DEEP } from "#lib/template/json-shape.ts";
import { findSignalTarget } from "../agent-requests/agent-target.ts";
import { asNote } from "../agent-requests/best-effort-write.ts";
import { Refusal, recordEvidence, recordingRefusals } from "../agent-requests/evidence.ts";
import {
  type AgentRequest,
  checkMethod,
  checkSignature,
  parseSignatureQuery,
} from "../agent-requests/urls.ts";
import { openContent, openObject, openText, sealText } from "../configs/config-content.ts";
import { recordProgress, recordResult } from "../diagnosis/record-signal.ts";
import {
  DEPLOYMENT_CANCELLED,
  decideSignal,
  type FinalResult,
  type SignalDecision,
  saysTheSame,
} from "./signal-decision.ts";
import { signalRow } from "./signal-row.ts";
import { openUpload, readUpload, uploadIn } from "./uploaded-signal.ts";

export const SIGNAL_METHODS = ["PUT", "POST"] as const;
export const SIGNAL_BYTES_MAX = 1_048_576;
/** An event is to be read; what a server says about its progress may be long. */
const EVENT_REASON_CHARS_MAX = 1_000;

export interface SignalRequest extends AgentRequest {
  readonly body: string;
}

export interface SignalAnswer {
  readonly status: 200;
  readonly effect: "none" | "progress noted" | "result stored" | "upload opened";
  /** What the sender is told; absent: nothing. */
  readonly document?: Json;
}

/** The agent could do nothing about it, so it is told that all is well; whoever looks for the cause finds the evidence. */
const withoutEffect = async (
  ports: Ports,
  target: SignalTarget,
  kind: EvidenceKind,
): Promise<SignalAnswer> => {
  await recordEvidence(ports, target, kind);
  return { status: 200, effect: "none" };
};

export const signalBlobKey = (target: {
  readonly resourceId: string;
  readonly generation: number;
}): string => `signal/${target.resourceId}/${target.generation}`;

const checkSize = (bodyText: string): void => {
  const isOver =
    bodyText.length > SIGNAL_BYTES_MAX ||
    (bodyText.length * 3 > SIGNAL_BYTES_MAX &&
      new TextEncoder().encode(bodyText).length > SIGNAL_BYTES_MAX);
  if (!isOver) return;
  const message = `The signal is larger than ${SIGNAL_BYTES_MAX} bytes.`;
  throw new Refusal("too_large", new RequestError("RequestEntityTooLarge", 413, message));
};

const detailsSchema = z.record(z.string(), z.json());

/** Null for an empty body. What is too deep for whoever walks it later is refused here, before it is kept. */
const parseBody = (bodyText: string): Json => {
  if (bodyText.trim() === "") return null;
  const body = jsonFromText(bodyText);
  if (body === undefined) throw new Refusal("not_valid", badRequest("The signal is not JSON."));
  if (!isDeeperThan(body, DEPTH_MAX)) return body;
  throw new Refusal("not_valid", badRequest(`The signal is ${TOO_DEEP}.`));
};

/** An empty body and null count as an empty map, as in Heat. */
export const parseSignal = (bodyText: string): JsonObject => parseDetails(parseBody(bodyText));

const parseDetails = (body: Json): JsonObject => {
  const details = detailsSchema.safeParse(body ?? {});
  if (!details.success) {
    throw new Refusal("not_valid", badRequest("The signal is not a JSON object."));
  }
  return details.data;
};

const decide = async (
  ports: Ports,
  deployment: DeploymentRecord,
  details: JsonObject,
): Promise<SignalDecision> => {
  const { outputs } = await openContent(ports.cipher, deployment, deployment.derivedConfig);
  const previous = await openObject(ports.cipher, deployment, deployment.outputValues);
  return decideSignal(details, outputs, previous);
};

const eventReason = (deployment: DeploymentRecord, text: string): string =>
  `Signal: deployment ${deployment.id} ${text}`.slice(0, EVENT_REASON_CHARS_MAX);

/** What the first result says: the one that counts, and that the event tells of. */
const storedResult = async (
  ports: Ports,
  deployment: DeploymentRecord,
  target: SignalTarget,
): Promise<FinalResult | null> => {
  const stored = await ports.blobs.get(signalBlobKey(target));
  if (stored === null) return null;
  const details = parseSignal(await openText(ports.cipher, target, stored));
  const decision = await decide(ports, deployment, details);
  return decision.signal === "final" ? decision : null;
};

const wake = (
  ports: Ports,
  deployment: DeploymentRecord,
  target: SignalTarget,
  { event }: FinalResult,
): Promise<"woken" | "no effect"> =>
  signalResource(ports, target, { reason: eventReason(deployment, event), final: true });

/** The resource is woken for a repeated result too: the first sender may have died before that. */
const storeResult = async (
  ports: Ports,
  deployment: DeploymentRecord,
  target: SignalTarget,
  result: FinalResult,
  body: string,
): Promise<SignalAnswer> => {
  const sealed = await sealText(ports.cipher, target, body);
  if ((await ports.blobs.put(signalBlobKey(target), sealed)) === "stored") {
    const effect = await wake(ports, deployment, target, result);
    // The operation may have come to its end since the deployment was read.
    if (effect === "no effect") await recordEvidence(ports, target, "late");
    return { status: 200, effect: "result stored" };
  }
  const first = await storedResult(ports, deployment, target);
  if (first !== null) await wake(ports, deployment, target, first);
  const isSame = first !== null && saysTheSame(result, first);
  return withoutEffect(ports, target, isSame ? "duplicate" : "conflicting");
};

/** After the end: a repetition of the result is nothing to worry about, another result is. */
const afterTheEnd = async (
  ports: Ports,
  deployment: DeploymentRecord,
  details: JsonObject,
): Promise<EvidenceKind> => {
  const { status, statusReason } = deployment;
  const decision = await decide(ports, deployment, details);
  const wasEnded = statusReason === DEPLOYMENT_CANCELLED;
  if (decision.signal !== "final" || wasEnded) return "late";
  const outputValues = await openObject(ports.cipher, deployment, deployment.outputValues);
  const isSame = saysTheSame(decision, { status, statusReason, outputValues });
  return isSame ? "duplicate" : "conflicting";
};

/** Throws the refusal of any request that is none for this target. */
const admit = (
  ports: Ports,
  derivedConfigId: string,
  target: SignalTarget | null,
  { method, query, body }: SignalRequest,
): SignalTarget => {
  checkMethod(SIGNAL_METHODS, method);
  checkSize(body);
  const signature = parseSignatureQuery(query);
  if (target === null) throw new Refusal("wrong_scope", entityNotFound("Signal", derivedConfigId));
  const grant = { tenant: target.tenant, kind: "signal" as const, id: derivedConfigId };
  checkSignature(ports, grant, signature);
  return target;
};

const heed = async (
  ports: Ports,
  target: SignalTarget,
  deployment: DeploymentRecord,
  body: string,
): Promise<SignalAnswer> => {
  const details = parseSignal(body);
  if (deployment.derivedConfigId !== target.derivedConfigId) {
    return withoutEffect(ports, target, "old_operation");
  }
  if (deployment.status !== "IN_PROGRESS") {
    return withoutEffect(ports, target, await afterTheEnd(ports, deployment, details));
  }
  const decision = await decide(ports, deployment, details);
  if (decision.signal === "invalid") throw new Refusal("not_valid", badRequest(decision.message));
  if (decision.signal === "final") return storeResult(ports, deployment, target, decision, body);
  const reason = eventReason(deployment, `in progress: ${decision.reason}`);
  const effect = await signalResource(ports, target, { reason, final: false });
  if (effect === "no effect") return withoutEffect(ports, target, "late");
  return { status: 200, effect: "progress noted" };
};

const deleted = (what: string): Refusal =>
  new Refusal("deleted", gone(`The ${what} that this signal is for has been deleted.`));

const heedForDeployment = async (
  ports: Ports,
  target: SignalTarget,
  deploymentId: string,
  body: string,
): Promise<SignalAnswer> => {
  // What is no JSON object is told so, whoever it is for.
  const details = parseSignal(body);
  const upload = uploadIn(details);
  const { serverId } = target;
  const deployment = await ports.softwareConfigs.getDeployment(serverId, deploymentId);
  if (deployment === null) throw deleted("deployment");
  const answer =
    upload === null
      ? await heed(ports, target, deployment, body)
      : await heedUploaded(ports, target, deployment, upload);
  const delivery = { ...target, deploymentId };
  await asNote(async () => {
    if (answer.effect === "progress noted") await recordProgress(ports, delivery, details);
    if (answer.effect === "result stored") await recordResult(ports, delivery);
  });
  return answer;
};

/** Whoever repeats a signal after its upload has gone was answered before. */
const heedUploaded = async (
  ports: Ports,
  target: SignalTarget,
  deployment: DeploymentRecord,
  upload: string,
): Promise<SignalAnswer> => {
  const body = await readUpload(ports, target, upload);
  if (body !== null) return heed(ports, target, deployment, body);
  const isAwaited =
    deployment.derivedConfigId === target.derivedConfigId && deployment.status === "IN_PROGRESS";
  if (isAwaited && (await ports.blobs.get(signalBlobKey(target))) === null) {
    throw new Refusal("not_valid", badRequest("The upload that this signal names is not there."));
  }
  return withoutEffect(ports, target, "duplicate");
};

const heedForHandle = async (
  ports: Ports,
  target: SignalTarget,
  body: string,
): Promise<SignalAnswer> => {
  const details = parseBody(body);
  const { stackId, resourceId: id } = target;
  const row = await ports.store.getResource({ stackId, id });
  if (row === null || row.physicalResourceId !== target.derivedConfigId) {
    throw deleted("wait condition handle");
  }
  const document = await signalRow(ports, row, details);
  return { status: 200, effect: "result stored", document };
};

/**
 * A user's signal to a deployment's row, for `ResourceType.handleSignal`: whoever may act on the stack may say how its
 * current action has ended. Without effect where none is under way.
 */
export const signalDeployment = async (
  row: Resource,
  details: Json,
  ports: Ports,
): Promise<null> => {
  const sealed = row.operation?.properties ?? row.properties;
  const { physicalResourceId: id, tenant, stackId } = row;
  if (sealed === null || id === null) return null;
  const { server } = await openProperties(ports, row, sealed);
  if (typeof server !== "string") return null;
  const deployment = await ports.softwareConfigs.getDeployment(server, id);
  if (deployment === null) return null;
  const { derivedConfigId, generation } = deployment;
  const target = { tenant, stackId, resourceId: row.id, serverId: server, deploymentId: id };
  const body = JSON.stringify(parseDetails(details));
  checkSize(body);
  await heed(ports, { ...target, derivedConfigId, generation, expiresAt: 0 }, deployment, body);
  return null;
};

/**
 * Throws 405, 413, 403, 404, 400 and 410. A signal for a former action of the deployment, or for one that has ended, is
 * answered 200 without effect. Each of these is recorded, if the id is one of ours.
 */
export const receiveSignal = async (
  ports: Ports,
  derivedConfigId: string,
  request: SignalRequest,
): Promise<SignalAnswer> => {
  const { subject, target } = await findSignalTarget(ports, derivedConfigId);
  return recordingRefusals(ports, target, async () => {
    const admitted = admit(ports, derivedConfigId, subject, request);
    const { deploymentId } = admitted;
    if (request.query["upload"] !== undefined) {
      const document = await openUpload(ports, admitted, parseSignal(request.body));
      return { status: 200, effect: "upload opened", document };
    }
    return deploymentId === null
      ? heedForHandle(ports, admitted, request.body)
      : heedForDeployment(ports, admitted, deploymentId, request.body);
  });
};
