/** The clauses about machines of lib/ports/conditions.ts as DynamoDB expressions. */
import type { MachineClause } from "#lib/ports/conditions.ts";
import type { Clause } from "./expression.ts";

export const machineClause =
  (clause: MachineClause): Clause =>
  ({ name, text }) => {
    const free = () => `attribute_not_exists(${name("pk")})`;
    if (clause.clause === "isFree") return free();
    const { stackId, resourceName } = clause.holder;
    const isTakenFor = `${name("stackId")} = ${text(stackId)} AND ${name("resourceName")} = ${text(resourceName)}`;
    if (clause.clause === "isFreeOrTakenFor") return `${free()} OR (${isTakenFor})`;
    return clause.serverId === null
      ? `${isTakenFor} AND attribute_not_exists(${name("serverId")})`
      : `${isTakenFor} AND ${name("serverId")} = ${text(clause.serverId)}`;
  };
