/**
 * Evidence of requests to agents' URLs that were refused or had no effect: target, kind, times and
 * count. It contains nothing of the request itself, because the URL is a secret.
 * Attackers can neither fill the store nor raise its cost. A request for an unknown id leaves a log
 * line only. Each kind and target has one record, which expires EVIDENCE_MS_MAX after the last
 * sighting. The first EVIDENCE_COUNT_EXACT_MAX sightings cost a write each, later ones one write
 * per EVIDENCE_INTERVAL_MS. The gateway throttles requests.
 */
import { RequestError, RetryLater } from "#lib/errors.ts";
import type { Evidence, EvidenceKind, EvidenceTarget } from "#lib/model/evidence.ts";
import type { Ports } from "#lib/ports/ports.ts";

export const EVIDENCE_COUNT_EXACT_MAX = 20;
export const EVIDENCE_INTERVAL_MS = 60_000;
export const EVIDENCE_MS_MAX = 30 * 24 * 3_600_000;

export class Refusal extends RequestError {
  readonly evidence: EvidenceKind;
  constructor(evidence: EvidenceKind, answer: RequestError) {
    super(answer.code, answer.status, answer.message, { cause: answer.cause });
    this.evidence = evidence;
  }
}

const canSkipWrite = ({ count, lastSeenAt }: Evidence, now: number): boolean =>
  count >= EVIDENCE_COUNT_EXACT_MAX && now - lastSeenAt < EVIDENCE_INTERVAL_MS;

export const recordEvidence = (
  { softwareConfigs, clock }: Pick<Ports, "softwareConfigs" | "clock">,
  { tenant, stackId, serverId, deploymentId }: EvidenceTarget,
  kind: EvidenceKind,
): Promise<void> =>
  bestEffortWrite(async () => {
    const now = clock.now();
    const known = await softwareConfigs.getEvidence({ serverId, deploymentId, kind });
    if (known !== null && canSkipWrite(known, now)) return;
    await softwareConfigs.addEvidence({
      tenant,
      stackId,
      serverId,
      deploymentId,
      kind,
      firstSeenAt: known?.firstSeenAt ?? now,
      lastSeenAt: now,
      expiresAt: now + EVIDENCE_MS_MAX,
    });
  });

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

/**
 * If the store is busy, the note is lost. A 503 would make the agent repeat a request that was
 * served.
 */
export const bestEffortWrite = async (write: () => Promise<void>): Promise<void> => {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof RetryLater)) throw error;
  }
};
