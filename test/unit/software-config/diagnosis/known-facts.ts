/** Facts about a deployment `run` on the server `web`. All times are minutes before NOW. */
import { expect, it } from "vitest";
import type { Evidence, EvidenceKind } from "#lib/model/evidence.ts";
import {
  type DeliveryFindings,
  NOTHING_SEEN_OF_DELIVERY,
  NOTHING_SEEN_OF_SERVER,
  type ServerFindings,
} from "#lib/model/sighting.ts";
import { diagnose } from "#lib/software-config/diagnosis/diagnose.ts";
import type {
  Diagnosis,
  DiagnosisFacts,
  Neighbour,
  Verdict,
} from "#lib/software-config/diagnosis/facts.ts";

export const NOW = 1_700_000_000_000;

export const minutesAgo = (minutes: number): number => NOW - minutes * 60_000;

export const published = (minutes: number): DiagnosisFacts["deployment"] => ({
  id: "dep",
  derivedConfigId: "derived",
  resourceName: "run",
  action: "CREATE",
  status: "IN_PROGRESS",
  statusReason: "Deploy data available",
  serverId: "srv-1",
  createdAt: minutesAgo(minutes),
  updatedAt: minutesAgo(minutes),
});

export interface Known extends Omit<Partial<DiagnosisFacts>, "server" | "delivery"> {
  readonly server?: Partial<ServerFindings>;
  readonly delivery?: Partial<DeliveryFindings>;
}

export const facts = ({ server, delivery, ...known }: Known = {}): DiagnosisFacts => ({
  deployment: published(60),
  awaitsSignal: true,
  isStandalone: false,
  tool: "script",
  serverName: "web",
  serverStackId: "stack-1",
  isServerDeleted: false,
  earlierRunsMs: [],
  hasOpenPredecessor: false,
  hasServerSignalled: false,
  hasToolSignalled: false,
  neighbours: [],
  evidence: [],
  warnings: [],
  output: null,
  ...known,
  server: { ...NOTHING_SEEN_OF_SERVER, ...server },
  delivery: { ...NOTHING_SEEN_OF_DELIVERY, ...delivery },
});

export const diagnosisOf = (known: Known = {}): Diagnosis => diagnose(facts(known), NOW);

export const verdictOf = (known: Known = {}) => diagnosisOf(known).verdict;

export const UNKNOWN_TOOL = [{ rule: "unknown_tool", message: "no hook is called python" }];

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
  tenant: "t",
  stackId: "s",
  serverId: "v",
  deploymentId,
  kind,
  count: 1,
  firstSeenAt: minutesAgo(minutes),
  lastSeenAt: minutesAgo(minutes),
  expiresAt: NOW + 1,
});

export const running = (
  startedMinutes: number,
  heardMinutes: number,
  more: Partial<DeliveryFindings> = {},
): Partial<DeliveryFindings> => ({
  fetchedAt: minutesAgo(startedMinutes),
  startedAt: minutesAgo(startedMinutes),
  heardAt: minutesAgo(heardMinutes),
  ...more,
});

export const neighbour = (
  delivery: Partial<DeliveryFindings>,
  { isBefore = true }: { readonly isBefore?: boolean } = {},
): Neighbour => ({
  deploymentId: "other",
  derivedConfigId: "other-derived",
  resourceName: "install",
  isOvertaken: false,
  output: null,
  isBefore,
  delivery: { ...NOTHING_SEEN_OF_DELIVERY, ...delivery },
});

export type Case = readonly [
  title: string,
  known: Known,
  stage: Verdict["stage"],
  cause: Verdict["cause"],
  certainty: "certain" | "likely",
  summary: RegExp,
];

export const checkVerdicts = (cases: readonly Case[]): void => {
  it.each(cases)("%s", (_, known, stage, cause, certainty, summary) => {
    const verdict = verdictOf(known);
    expect(verdict.summary).toMatch(summary);
    expect(verdict).toMatchObject({ stage, cause, certain: certainty === "certain" });
    expect(verdict.summary).not.toContain("\n");
  });
};
