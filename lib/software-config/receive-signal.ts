/**
 * A signal of a server's agent: PUT or POST /v1/agent/signal/{derived_id} (protocol P12). The result is
 * stored before the resource is woken, and the first one stays: a repeated signal answers 200 and changes nothing.
 */
import * as z from "zod/mini";
import { signalResource } from "#lib/convergence/signal-resource.ts";
import { badRequest, entityNotFound, gone, RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openContent, openObject, openText, sealText } from "./config-content.ts";
import type { DeploymentRecord, SignalTarget } from "./model.ts";
import { decideSignal, type SignalDecision } from "./signal-decision.ts";
import { checkSignature, parseSignatureQuery, type UrlQuery } from "./urls.ts";

export const SIGNAL_BYTES_MAX = 1_048_576;
/** An event is to be read; what a server says about its progress may be long. */
const EVENT_REASON_CHARS_MAX = 1_000;

export interface SignalAnswer {
  readonly status: 200;
  readonly effect: "none" | "progress noted" | "result stored";
}

const NO_EFFECT: SignalAnswer = { status: 200, effect: "none" };

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
  throw new RequestError("RequestEntityTooLarge", 413, message);
};

const detailsSchema = z.record(z.string(), z.json());

/** An empty body and null count as an empty map, as in Heat. */
export const parseSignal = (bodyText: string): JsonObject => {
  if (bodyText.trim() === "") return {};
  let body: unknown;
  try {
    body = JSON.parse(bodyText);
  } catch (cause) {
    throw new RequestError("HTTPBadRequest", 400, "The signal is not JSON.", { cause });
  }
  const details = detailsSchema.safeParse(body ?? {});
  if (!details.success) throw badRequest("The signal is not a JSON object.");
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

/** The event tells of the result that counts, which is the first one: a second one may say something else. */
const storedEvent = async (
  ports: Ports,
  deployment: DeploymentRecord,
  target: SignalTarget,
): Promise<string | null> => {
  const stored = await ports.blobs.get(signalBlobKey(target));
  if (stored === null) return null;
  const details = parseSignal(await openText(ports.cipher, target, stored));
  const decision = await decide(ports, deployment, details);
  return decision.signal === "final" ? decision.event : null;
};

/** The resource is woken for a repeated result too: the first sender may have died before that. */
const storeResult = async (
  ports: Ports,
  deployment: DeploymentRecord,
  target: SignalTarget,
  bodyText: string,
  event: string,
): Promise<SignalAnswer> => {
  const sealed = await sealText(ports.cipher, target, bodyText);
  const put = await ports.blobs.put(signalBlobKey(target), sealed);
  const counts = put === "stored" ? event : await storedEvent(ports, deployment, target);
  if (counts === null) return NO_EFFECT;
  await signalResource(ports, target, { reason: eventReason(deployment, counts), final: true });
  return put === "stored" ? { status: 200, effect: "result stored" } : NO_EFFECT;
};

/**
 * Throws 413, 403, 404, 400 and 410. A signal for a former action of the deployment, or for one that
 * has ended, is answered 200 without effect, for the agent could do nothing about it.
 */
export const receiveSignal = async (
  ports: Ports,
  derivedConfigId: string,
  query: UrlQuery,
  bodyText: string,
): Promise<SignalAnswer> => {
  checkSize(bodyText);
  const signature = parseSignatureQuery(query);
  const target = await ports.softwareConfigs.getSignalTarget(derivedConfigId);
  if (target === null) throw entityNotFound("Signal", derivedConfigId);
  const grant = { tenant: target.tenant, kind: "signal" as const, id: derivedConfigId };
  checkSignature(ports, grant, signature);
  const details = parseSignal(bodyText);

  const deployment = await ports.softwareConfigs.getDeployment(
    target.serverId,
    target.deploymentId,
  );
  if (deployment === null) throw gone("The deployment that this signal is for has been deleted.");
  const isCurrent = deployment.derivedConfigId === derivedConfigId;
  if (!isCurrent || deployment.status !== "IN_PROGRESS") return NO_EFFECT;

  const decision = await decide(ports, deployment, details);
  if (decision.signal === "invalid") throw badRequest(decision.message);
  if (decision.signal === "final") {
    return storeResult(ports, deployment, target, bodyText, decision.event);
  }
  const reason = eventReason(deployment, `in progress: ${decision.reason}`);
  const effect = await signalResource(ports, target, { reason, final: false });
  return effect === "woken" ? { status: 200, effect: "progress noted" } : NO_EFFECT;
};
