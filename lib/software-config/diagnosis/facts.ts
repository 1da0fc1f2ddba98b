/** The facts about a deployment delivery, and the diagnosis made of them. */
import type { DeploymentRecord } from "#lib/model/deployment.ts";
import type { Evidence } from "#lib/model/evidence.ts";
import type { DeliveryFindings, ServerFindings } from "#lib/model/sighting.ts";
import type { LintWarning } from "../configs/lint.ts";

/** The ends of what a run has printed. */
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
   * A newer request has taken the place of this delivery, or has given it up. Its run goes on, and
   * nobody waits for its result. It may be a run of the same deployment.
   */
  readonly isOvertaken: boolean;
  /** Of the last progress signal. Null: it had none, or the delivery is not overtaken. */
  readonly output: OutputTail | null;
  /** Earlier in the document, whose order the agent follows. */
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
  /** No stack waits for it: its creator sets its result. */
  readonly isStandalone: boolean;
  /** The tool that the agent needs a hook for. */
  readonly tool: string | null;
  /** Null: Hearth does not manage the server and never sees it. */
  readonly serverName: string | null;
  /** The stack that the server is in. Null: as above. */
  readonly serverStackId: string | null;
  /** It was a server of Hearth's, and is no more. */
  readonly isServerDeleted: boolean;
  readonly server: ServerFindings;
  readonly delivery: DeliveryFindings;
  /** Of the last progress signal, or of the result. Null: neither had any. */
  readonly output: OutputTail | null;
  /** How long earlier runs of this deployment took, in milliseconds. */
  readonly earlierRunsMs: readonly number[];
  /** An earlier delivery was fetched and never ended: its script may still send a signal. */
  readonly hasOpenPredecessor: boolean;
  /** Whether any delivery to this server has ever signalled. */
  readonly hasServerSignalled: boolean;
  /** Whether a delivery of the same tool has. */
  readonly hasToolSignalled: boolean;
  readonly neighbours: readonly Neighbour[];
  /** Of the server's polls and of this deployment's signals. */
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

/** Where it is stuck: the six stages of blueprint software-config-progress. Null: not stuck. */
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
  /** One line. */
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
  /** Known events, oldest first. */
  readonly history: readonly HistoryEntry[];
  readonly verdict: Verdict;
  readonly waitingBehind: WaitingBehind | null;
}
