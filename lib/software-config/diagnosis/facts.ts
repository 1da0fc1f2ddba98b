/** What is known of a delivery when somebody asks why it is stuck, and what the answer looks like. */
import type { DeploymentRecord } from "#lib/model/deployment.ts";
import type { Evidence } from "#lib/model/evidence.ts";
import type { DeliveryFindings, ServerFindings } from "#lib/model/sighting.ts";
import type { LintWarning } from "../configs/lint.ts";

/** Another deployment of the same server that waits for its result. */
export interface Neighbour {
  readonly deploymentId: string;
  readonly resourceName: string;
  /** In the document, whose order is the agent's. */
  readonly isBefore: boolean;
  readonly delivery: DeliveryFindings;
}

export interface DiagnosisFacts {
  readonly deployment: Pick<
    DeploymentRecord,
    | "id"
    | "derivedConfigId"
    | "resourceName"
    | "action"
    | "status"
    | "statusReason"
    | "createdAt"
    | "updatedAt"
  >;
  readonly awaitsSignal: boolean;
  /** No stack waits for it: whoever has made it sets its result. */
  readonly isStandalone: boolean;
  /** What the agent needs a hook for. */
  readonly tool: string | null;
  /** Null: the server is none of Hearth's, and is never seen. */
  readonly serverName: string | null;
  readonly server: ServerFindings;
  readonly delivery: DeliveryFindings;
  /** How long earlier runs of this deployment took, in milliseconds. */
  readonly earlierRunsMs: readonly number[];
  /** An earlier delivery of this deployment was fetched and never ended: its script may still send something. */
  readonly hasOpenPredecessor: boolean;
  /** Whether anything that was deployed to this server has ever been answered for, and whether with this tool. */
  readonly hasServerSignalled: boolean;
  readonly hasToolSignalled: boolean;
  readonly neighbours: readonly Neighbour[];
  /** About the server and about this deployment. */
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

/** The six places of blueprint software-config-progress where a deployment can be stuck; null: it is not. */
export type Stage = 1 | 2 | 3 | 4 | 5 | 6 | null;

export interface Verdict {
  readonly stage: Stage;
  readonly cause: Cause;
  /** The evidence leaves no other explanation. */
  readonly certain: boolean;
  /** One line. */
  readonly summary: string;
  readonly advice: readonly string[];
}

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
  /** What is known to have happened, oldest first. */
  readonly history: readonly HistoryEntry[];
  readonly verdict: Verdict;
  readonly waitingBehind: WaitingBehind | null;
}
