/**
 * A signal of a deployment: its result or its progress. The result is stored before the resource is
 * woken. The first result stays; a repeated signal changes nothing.
 */
import { signalResource } from "#lib/convergence/signal-resource.ts";
import { badRequest } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { EvidenceKind } from "#lib/model/evidence.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { DeploymentRecord, SignalTarget } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openProperties } from "#lib/stack/record/reference.ts";
import { Refusal, recordEvidence } from "../agent-requests/evidence.ts";
import {
  openBlob,
  openDerivedConfig,
  openOutputValues,
  sealBlob,
} from "../configs/config-content.ts";
import { checkSignalSize, parseSignal, parseSignalDetails, signalBlobKey } from "./signal-body.ts";
import {
  DEPLOYMENT_CANCELLED,
  decideSignal,
  type FinalResult,
  isSameResult,
  type SignalDecision,
} from "./signal-decision.ts";

const EVENT_REASON_CHARS_MAX = 1_000;

export interface SignalAnswer {
  readonly status: 200;
  readonly effect: "none" | "progress noted" | "result stored" | "upload opened";
  readonly document?: Json;
}

export const acceptSignal = async (
  ports: Ports,
  target: SignalTarget,
  deployment: DeploymentRecord,
  body: string,
): Promise<SignalAnswer> => {
  const details = parseSignal(body);
  if (deployment.derivedConfigId !== target.derivedConfigId) {
    return answerWithoutEffect(ports, target, "old_operation");
  }
  if (deployment.status !== "IN_PROGRESS") {
    const kind = await evidenceAfterEnd(ports, deployment, details);
    return answerWithoutEffect(ports, target, kind);
  }
  const decision = await decideFor(ports, deployment, details);
  switch (decision.kind) {
    case "invalid":
      throw new Refusal("not_valid", badRequest(decision.message));
    case "final":
      return storeResult(ports, deployment, target, decision, body);
    case "in progress":
      return noteProgress(ports, deployment, target, decision.reason);
  }
};

/** The agent can do nothing about it, so it gets 200. The evidence explains it to people. */
export const answerWithoutEffect = async (
  ports: Ports,
  target: SignalTarget,
  kind: EvidenceKind,
): Promise<SignalAnswer> => {
  await recordEvidence(ports, target, kind);
  return { status: 200, effect: "none" };
};

const noteProgress = async (
  ports: Ports,
  deployment: DeploymentRecord,
  target: SignalTarget,
  progress: string,
): Promise<SignalAnswer> => {
  const reason = eventReason(deployment, `in progress: ${progress}`);
  const effect = await signalResource(ports, target, { reason, final: false });
  if (effect === "no effect") return answerWithoutEffect(ports, target, "late");
  return { status: 200, effect: "progress noted" };
};

/** A repeated result wakes the resource too: the first sender may have died before doing so. */
const storeResult = async (
  ports: Ports,
  deployment: DeploymentRecord,
  target: SignalTarget,
  result: FinalResult,
  body: string,
): Promise<SignalAnswer> => {
  const key = signalBlobKey(target);
  const sealed = await sealBlob(ports.cipher, target, key, body);
  if ((await ports.blobs.put(key, sealed)) === "stored") {
    const effect = await wakeResource(ports, deployment, target, result);
    // The operation may have ended since the deployment was read.
    if (effect === "no effect") await recordEvidence(ports, target, "late");
    return { status: 200, effect: "result stored" };
  }
  const first = await storedResult(ports, deployment, target);
  if (first !== null) await wakeResource(ports, deployment, target, first);
  const isSame = first !== null && isSameResult(result, first);
  return answerWithoutEffect(ports, target, isSame ? "duplicate" : "conflicting");
};

const storedResult = async (
  ports: Ports,
  deployment: DeploymentRecord,
  target: SignalTarget,
): Promise<FinalResult | null> => {
  const key = signalBlobKey(target);
  const stored = await ports.blobs.get(key);
  if (stored === null) return null;
  const details = parseSignal(await openBlob(ports.cipher, target, key, stored));
  const decision = await decideFor(ports, deployment, details);
  return decision.kind === "final" ? decision : null;
};

const wakeResource = (
  ports: Ports,
  deployment: DeploymentRecord,
  target: SignalTarget,
  { event }: FinalResult,
): Promise<"woken" | "no effect"> =>
  signalResource(ports, target, { reason: eventReason(deployment, event), final: true });

/** After the end a repetition of the recorded result is harmless; another result conflicts. */
const evidenceAfterEnd = async (
  ports: Ports,
  deployment: DeploymentRecord,
  details: JsonObject,
): Promise<EvidenceKind> => {
  const { status, statusReason } = deployment;
  const decision = await decideFor(ports, deployment, details);
  const wasCancelled = statusReason === DEPLOYMENT_CANCELLED;
  if (decision.kind !== "final" || wasCancelled) return "late";
  const outputValues = await openOutputValues(ports.cipher, deployment);
  const isSame = isSameResult(decision, { status, statusReason, outputValues });
  return isSame ? "duplicate" : "conflicting";
};

export const decideFor = async (
  ports: Ports,
  deployment: DeploymentRecord,
  details: JsonObject,
): Promise<SignalDecision> => {
  const { outputs } = await openDerivedConfig(ports.cipher, deployment);
  const previous = await openOutputValues(ports.cipher, deployment);
  return decideSignal(details, outputs, previous);
};

const eventReason = (deployment: DeploymentRecord, text: string): string =>
  `Signal: deployment ${deployment.id} ${text}`.slice(0, EVENT_REASON_CHARS_MAX);

/**
 * A user who may act on the stack may also report how the current action ended. Without an action
 * in progress the signal has no effect.
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
  const target = {
    tenant,
    stackId,
    resourceId: row.id,
    serverId: server,
    deploymentId: id,
    derivedConfigId,
    generation,
    expiresAt: 0,
  };
  const body = JSON.stringify(parseSignalDetails(details));
  checkSignalSize(body);
  await acceptSignal(ports, target, deployment, body);
  return null;
};
