/**
 * The row clauses of lib/ports/conditions.ts as DynamoDB expressions. An absent row has no
 * attributes.
 */
import * as z from "zod";
import type { RowClause } from "#lib/ports/conditions.ts";
import { id } from "../items/attributes.ts";
import type { Clause } from "./expression.ts";

export const rowClause =
  (clause: RowClause): Clause =>
  ({ name, value, number, text }) => {
    switch (clause.clause) {
      case "absent":
        return `attribute_not_exists(${name("id")})`;
      case "versionIs":
        return `${name("version")} = ${number(clause.version)}`;
      case "leaseHeldBy":
        return `${name("lease.token")} = ${value(z.encode(id, clause.token))}`;
      case "noLiveLease":
        return `attribute_not_exists(${name("lease")}) OR ${name("lease.expiresAt")} <= ${number(clause.now)}`;
      case "signalsAre":
        return `${name("signals")} = ${number(clause.signals)}`;
      case "numberBelow":
        return `attribute_not_exists(${name("id")}) OR ${name("number")} < ${number(clause.number)}`;
      case "numberAtMost":
        return `attribute_not_exists(${name("id")}) OR ${name("number")} <= ${number(clause.number)}`;
      case "operationGenerationIs":
        return `${name("operation.generation")} = ${number(clause.generation)}`;
      case "waitIsOver":
        return `attribute_exists(${name("id")}) AND (attribute_not_exists(${name("waitUntil")}) OR ${name("waitUntil")} <= ${number(clause.now)})`;
      case "actionIs":
        return `${name("action")} = ${text(clause.action)}`;
    }
  };
