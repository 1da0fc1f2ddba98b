/** Facts about a deployment `run` on the server `web`, as tests want them; all times are minutes before NOW. */
import { diagnose } from "#lib/software-config/diagnosis/diagnose.ts";
import type { Diagnosis, DiagnosisFacts, Neighbour } from "#lib/software-config/diagnosis/facts.ts";
import {
  type DeliveryFindings,
  type Evidence,
  type EvidenceKind,
  NOTHING_SEEN_OF_DELIVERY,
  NOTHING_SEEN_OF_SERVER,
  type ServerFindings,
} from "#lib/software-config/model.ts";

export const NOW = 1_700_000_000_000;

export const minutesAgo = (minutes: number): number => NOW - minutes * 60_000;

export const published = (minutes: number): DiagnosisFacts["deployment"] => ({
  id: "dep",
  derivedConfigId: "derived",
  resourceName: "run",
  action: "CREATE",
  status: "IN_PROGRESS",
  statusReason: "Deploy data available",
  createdAt: minutesAgo(minutes),
  updatedAt: minutesAgo(minutes),
});

export interface Known extends Omit<Partial<DiagnosisFacts>, "server" | "delivery"> {
  readonly server?: Partial<ServerFindings>;
  readonly delivery?: Partial<DeliveryFindings>;
}

/** Published an hour ago, and nothing more is known. */
export const facts = ({ server, delivery, ...known }: Known = {}): DiagnosisFacts => ({
  deployment: published(60),
  awaitsSignal: true,
  tool: "script",
  serverName: "web",
  earlierRunsMs: [],
  hasOpenPredecessor: false,
  hasServerSignalled: false,
  hasToolSignalled: false,
  neighbours: [],
  evidence: [],
  warnings: [],
  ...known,
  server: { ...NOTHING_SEEN_OF_SERVER, ...server },
  delivery: { ...NOTHING_SEEN_OF_DELIVERY, ...delivery },
});

export const diagnosisOf = (known: Known = {}): Diagnosis => diagnose(facts(known), NOW);

export const verdictOf = (known: Known = {}) => diagnosisOf(known).verdict;

/** Of a server that polls, and polled last so long ago. */
export const polling = (lastMinutes: number): Partial<ServerFindings> => ({
  firstPollAt: minutesAgo(5_000),
  lastPollAt: minutesAgo(lastMinutes),
  servedVersion: "0123456789ab",
});

export const refused = (
  kind: EvidenceKind,
  minutes: number,
  deploymentId: string | null,
): Evidence => ({
  ...{ tenant: "t", stackId: "s", serverId: "v", deploymentId, kind, count: 1 },
  ...{ firstSeenAt: minutesAgo(minutes), lastSeenAt: minutesAgo(minutes), expiresAt: NOW + 1 },
});

export const neighbour = (
  delivery: Partial<DeliveryFindings>,
  { isBefore = true }: { readonly isBefore?: boolean } = {},
): Neighbour => ({
  deploymentId: "other",
  resourceName: "install",
  isBefore,
  delivery: { ...NOTHING_SEEN_OF_DELIVERY, ...delivery },
});
