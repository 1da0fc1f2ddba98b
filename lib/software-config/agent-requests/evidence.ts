/**
 * What is kept of requests to agents' URLs that were refused, or that had no effect: who is affected, how,
 * when and how often. Nothing of the request itself is kept, for its URL is a secret.
 *
 * Whoever sends such requests can neither fill the store nor make it dear:
 * - Only what exists is a target. A request for an id that nobody knows leaves a log line.
 * - There is one record for each kind and target. Both are bounded, and a record goes when nothing has been added for EVIDENCE_MS_MAX.
 * - A record is written for its first EVIDENCE_COUNT_EXACT_MAX sightings and then once in EVIDENCE_INTERVAL_MS (by each worker
 *   that looks at that very moment). Any other request costs one small read more than its refusal did, and the number
 *   of requests is held by the gateway's throttle.
 */
import { RequestError } from "#lib/errors.ts";
import type { Evidence, EvidenceKind, EvidenceTarget } from "#lib/model/evidence.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { asNote } from "./best-effort-write.ts";

export const EVIDENCE_COUNT_EXACT_MAX = 20;
export const EVIDENCE_INTERVAL_MS = 60_000;
export const EVIDENCE_MS_MAX = 30 * 24 * 3_600_000;

/** A request to an agent's URL that is not honoured: what is answered, and what is recorded. */
export class Refusal extends RequestError {
  readonly evidence: EvidenceKind;
  constructor(evidence: EvidenceKind, answer: RequestError) {
    super(answer.code, answer.status, answer.message, { cause: answer.cause });
    this.evidence = evidence;
  }
}

const isKnownWellEnough = ({ count, lastSeenAt }: Evidence, now: number): boolean =>
  count >= EVIDENCE_COUNT_EXACT_MAX && now - lastSeenAt < EVIDENCE_INTERVAL_MS;

export const recordEvidence = (
  { softwareConfigs, clock }: Pick<Ports, "softwareConfigs" | "clock">,
  { tenant, stackId, serverId, deploymentId }: EvidenceTarget,
  kind: EvidenceKind,
): Promise<void> =>
  asNote(async () => {
    const now = clock.now();
    const known = await softwareConfigs.getEvidence({ serverId, deploymentId, kind });
    if (known !== null && isKnownWellEnough(known, now)) return;
    await softwareConfigs.addEvidence({
      ...{ tenant, stackId, serverId, deploymentId, kind },
      firstSeenAt: known?.firstSeenAt ?? now,
      lastSeenAt: now,
      expiresAt: now + EVIDENCE_MS_MAX,
    });
  });

/** Whatever `work` refuses is recorded and thrown on. `target` null: there is nobody whom it would be about. */
export const recordingRefusals = async <Result>(
  ports: Pick<Ports, "softwareConfigs" | "clock">,
  target: EvidenceTarget | null,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && target !== null) {
      await recordEvidence(ports, target, error.evidence);
    }
    throw error;
  }
};
