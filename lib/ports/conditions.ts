/**
 * The named clauses that a conditional write may carry. Each is something one DynamoDB condition
 * expression can say about one item; `rowClauseHolds` and `stackClauseHolds` say it in TypeScript,
 * for the adapters that check it themselves, and are what the contract suite compares the others with.
 */
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";

export type RowClause =
  | { readonly clause: "versionIs"; readonly version: number }
  /** No item, or one that was there when it had this version: version 0 means none. */
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
