/**
 * Evidence of requests to agents' URLs that were refused or had no effect: the target, the kind,
 * the times and the count. It holds nothing of the request itself, because its URL is a secret.
 *
 * Attackers cannot fill the store or raise its cost:
 * - Only something that exists is a target. A request for an unknown id leaves a log line.
 * - Each kind and target has one record, and both are bounded. A record expires EVIDENCE_MS_MAX
 *   after its last sighting.
 * - The first EVIDENCE_COUNT_EXACT_MAX sightings each cost a write. Later ones cost one write per
 *   EVIDENCE_INTERVAL_MS, or one per worker that looks at the same moment.
 * - Any other request adds one small read to its refusal. The gateway throttles requests.
 */
import { RequestError } from "#lib/errors.ts";
import type { Evidence, EvidenceKind, EvidenceTarget } from "#lib/model/evidence.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { bestEffortWrite } from "./best-effort-write.ts";

export const EVIDENCE_COUNT_EXACT_MAX = 20;
export const EVIDENCE_INTERVAL_MS = 60_000;
export const EVIDENCE_MS_MAX = 30 * 24 * 3_600_000;

/** A refused request to an agent's URL: the error to answer and the evidence to record. */
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

/** Records a refusal of `work` and rethrows it. `target` null: nothing to attribute it to. */
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
