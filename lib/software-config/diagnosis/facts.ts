import type { Evidence } from "#lib/model/evidence.ts";
import type { DeliveryFindings, ServerFindings } from "#lib/model/sighting.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import type { LintWarning } from "../configs/lint.ts";

export interface OutputTail {
  readonly deploy_stdout: string;
  readonly deploy_stderr: string;
}

/** Another delivery to the same server that its agent may run first. */
export interface Neighbour {
  readonly deploymentId: string;
  readonly derivedConfigId: string;
  readonly resourceName: string;
  /**
   * A newer request has replaced or given up this delivery. Its run continues, although nobody
   * waits for its result. The run may belong to the same deployment.
   */
  readonly isOvertaken: boolean;
  readonly output: OutputTail | null;
  readonly isBefore: boolean;
  readonly delivery: DeliveryFindings;
}

export interface DiagnosisFacts {
  readonly deployment: Pick<
    DeploymentRecord,
    | "id"
    | "derivedConfigId"
    | "serverId"
    | "resourceName"
    | "action"
    | "status"
    | "statusReason"
    | "createdAt"
    | "updatedAt"
  >;
  readonly awaitsSignal: boolean;
  readonly isStandalone: boolean;
  readonly tool: string | null;
  /** Null if Hearth does not manage the server and never sees it. */
  readonly serverName: string | null;
  readonly serverStackId: string | null;
  readonly isServerDeleted: boolean;
  readonly server: ServerFindings;
  readonly delivery: DeliveryFindings;
  readonly output: OutputTail | null;
  readonly earlierRunsMs: readonly number[];
  /** An earlier delivery was fetched and never ended: its script may still send a signal. */
  readonly hasOpenPredecessor: boolean;
  readonly hasServerSignalled: boolean;
  readonly hasToolSignalled: boolean;
  readonly neighbours: readonly Neighbour[];
  readonly evidence: readonly Evidence[];
  readonly warnings: readonly LintWarning[];
}

export type DiagnosisState =
  | "PUBLISHED"
  | "FETCHED"
  | "APPLIED"
  | "RUNNING"
  | DeploymentRecord["status"];

export type Cause =
  | "server_not_booted"
  | "no_network"
  | "metadata_not_reached"
  | "agent_misconfigured"
  | "not_polling"
  | "cannot_signal"
  | "running"
  | "waiting_behind"
  | "waiting"
  | "finished"
  | "not_awaited"
  | "unknown_server";

/**
 * The six stages of the blueprint software-config-progress. Null if the deployment is not stuck.
 */
export type Stage = 1 | 2 | 3 | 4 | 5 | 6 | null;

const STAGES: Partial<Record<Cause, Stage>> = {
  server_not_booted: 1,
  no_network: 2,
  metadata_not_reached: 3,
  agent_misconfigured: 4,
  not_polling: 5,
  cannot_signal: 6,
};

export interface Verdict {
  readonly stage: Stage;
  readonly cause: Cause;
  /** The evidence allows no other explanation. */
  readonly certain: boolean;
  readonly summary: string;
  readonly advice: readonly string[];
}

export const verdictOf = (
  cause: Cause,
  certain: boolean,
  summary: string,
  advice: readonly string[] = [],
): Verdict => ({ stage: STAGES[cause] ?? null, cause, certain, summary, advice });

export const certainly = (cause: Cause, summary: string, advice?: readonly string[]): Verdict =>
  verdictOf(cause, true, summary, advice);

export const probably = (cause: Cause, summary: string, advice?: readonly string[]): Verdict =>
  verdictOf(cause, false, summary, advice);

export interface HistoryEntry {
  readonly state: DiagnosisState;
  readonly time: number;
}

export interface WaitingBehind {
  readonly deploymentId: string;
  readonly resourceName: string;
  readonly since: number;
}

export interface Diagnosis {
  readonly state: DiagnosisState;
  readonly history: readonly HistoryEntry[];
  readonly verdict: Verdict;
  readonly waitingBehind: WaitingBehind | null;
}
