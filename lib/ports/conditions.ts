/**
 * The named clauses of conditional writes. DynamoDB can express each clause as a condition about
 * one item. The functions here express the same in TypeScript: the memory and SQLite adapters check
 * conditions with them, and the contract suite compares the AWS adapter with them.
 */

import type { Resource } from "#lib/model/resource.ts";
import type {
  DeploymentRecord,
  DeploymentStanding,
  TakenMachine,
} from "#lib/model/software-config.ts";
import type { Stack } from "#lib/model/stack.ts";

export type RowClause =
  | { readonly clause: "versionIs"; readonly version: number }
  | { readonly clause: "absent" }
  | { readonly clause: "leaseHeldBy"; readonly token: string }
  | { readonly clause: "noLiveLease"; readonly now: number }
  | { readonly clause: "signalsAre"; readonly signals: number }
  | { readonly clause: "numberBelow"; readonly number: number }
  | { readonly clause: "numberAtMost"; readonly number: number }
  | { readonly clause: "operationGenerationIs"; readonly generation: number }
  | { readonly clause: "waitIsOver"; readonly now: number }
  | { readonly clause: "actionIs"; readonly action: Resource["action"] };

export const rowClauseHolds = (clause: RowClause, row: Resource | null): boolean => {
  switch (clause.clause) {
    case "absent":
      return row === null;
    case "versionIs":
      return row !== null && row.version === clause.version;
    case "leaseHeldBy":
      return row?.lease?.token === clause.token;
    case "noLiveLease":
      return !row?.lease || row.lease.expiresAt <= clause.now;
    case "signalsAre":
      return row !== null && row.signals === clause.signals;
    case "numberBelow":
      return row === null || row.number < clause.number;
    case "numberAtMost":
      return row === null || row.number <= clause.number;
    case "operationGenerationIs":
      return row?.operation?.generation === clause.generation;
    case "waitIsOver":
      return row !== null && (row.waitUntil === null || row.waitUntil <= clause.now);
    case "actionIs":
      return row !== null && row.action === clause.action;
  }
};

export type StackClause =
  | { readonly clause: "traversalIs"; readonly traversalId: string }
  | { readonly clause: "statusVersionIs"; readonly statusVersion: number }
  | { readonly clause: "inProgress" };

export const stackClauseHolds = (clause: StackClause, stack: Stack): boolean => {
  switch (clause.clause) {
    case "traversalIs":
      return stack.traversalId === clause.traversalId;
    case "statusVersionIs":
      return stack.statusVersion === clause.statusVersion;
    case "inProgress":
      return stack.status === "IN_PROGRESS";
  }
};

/** For records whose key comes from outside, because another project may ask for the same key. */
export type OwnerClause =
  | { readonly clause: "isOf"; readonly tenant: string }
  | { readonly clause: "isNewOrOf"; readonly tenant: string };

export const ownerClauseHolds = (
  clause: OwnerClause,
  record: { readonly tenant: string } | null,
): boolean => (record === null ? clause.clause === "isNewOrOf" : record.tenant === clause.tenant);

export const whenWrittenBy = ({ tenant }: { readonly tenant: string }): OwnerClause => ({
  clause: "isNewOrOf",
  tenant,
});

export const whenDeletedBy = (tenant: string): OwnerClause => ({ clause: "isOf", tenant });

export type DeploymentClause =
  | OwnerClause
  | { readonly clause: "generationBelow"; readonly generation: number }
  | { readonly clause: "generationAtMost"; readonly generation: number }
  | { readonly clause: "standsAs"; readonly standing: DeploymentStanding };

export const deploymentClauseHolds = (
  clause: DeploymentClause,
  deployment: DeploymentRecord | null,
): boolean => {
  switch (clause.clause) {
    case "isOf":
    case "isNewOrOf":
      return ownerClauseHolds(clause, deployment);
    case "generationBelow":
      return deployment === null || deployment.generation < clause.generation;
    case "generationAtMost":
      return deployment !== null && deployment.generation <= clause.generation;
    case "standsAs": {
      const { generation, delivery, status } = clause.standing;
      return (
        deployment?.generation === generation &&
        deployment.delivery === delivery &&
        deployment.status === status
      );
    }
  }
};

/** An operation publishes once. If its worker repeats the publish, a later change must survive. */
export const whenPublished = (deployment: DeploymentRecord): readonly DeploymentClause[] => [
  { clause: "generationBelow", generation: deployment.generation },
  whenWrittenBy(deployment),
];

export const whenChanged = (
  { tenant }: DeploymentRecord,
  standing: DeploymentStanding,
): readonly DeploymentClause[] => [
  { clause: "standsAs", standing },
  { clause: "isOf", tenant },
];

/** An older operation must not delete what a newer operation has published. */
export const whenDeleted = (tenant: string, generation: number): readonly DeploymentClause[] => [
  { clause: "generationAtMost", generation },
  whenDeletedBy(tenant),
];

type Holder = Pick<TakenMachine, "stackId" | "resourceName">;

export type MachineClause =
  | { readonly clause: "isFree" }
  | { readonly clause: "isFreeOrTakenFor"; readonly holder: Holder }
  | { readonly clause: "isTakenBy"; readonly holder: Holder; readonly serverId: string | null };

const isTakenFor = ({ stackId, resourceName }: Holder, taken: TakenMachine): boolean =>
  taken.stackId === stackId && taken.resourceName === resourceName;

export const machineClauseHolds = (clause: MachineClause, taken: TakenMachine | null): boolean => {
  switch (clause.clause) {
    case "isFree":
      return taken === null;
    case "isFreeOrTakenFor":
      return taken === null || isTakenFor(clause.holder, taken);
    case "isTakenBy":
      return (
        taken !== null && isTakenFor(clause.holder, taken) && taken.serverId === clause.serverId
      );
  }
};

/**
 * A replacement gets the machine of the server that it replaces. A late port (which has no server
 * id) must not undo that.
 */
export const whenTaking = (taking: TakenMachine): MachineClause =>
  taking.serverId === null ? { clause: "isFree" } : { clause: "isFreeOrTakenFor", holder: taking };

/** When a replaced server is deleted, its replacement keeps the machine. */
export const whenReleased = (taken: TakenMachine): MachineClause => ({
  clause: "isTakenBy",
  holder: taken,
  serverId: taken.serverId,
});
