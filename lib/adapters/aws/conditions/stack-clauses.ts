/** The stack clauses of lib/ports/conditions.ts as DynamoDB expressions. */
import type { StackClause } from "#lib/ports/conditions.ts";
import type { Clause } from "./expression.ts";

export const stackClause =
  (clause: StackClause): Clause =>
  ({ name, number, text }) => {
    switch (clause.clause) {
      case "traversalIs":
        return `${name("traversalId")} = ${text(clause.traversalId)}`;
      case "statusVersionIs":
        return `${name("statusVersion")} = ${number(clause.statusVersion)}`;
      case "inProgress":
        return `${name("status")} = ${text("IN_PROGRESS")}`;
    }
  };
