/** The deployment clauses of lib/ports/conditions.ts as DynamoDB expressions. */
import type { DeploymentClause } from "#lib/ports/conditions.ts";
import type { Clause } from "./expression.ts";
import { ownerClause } from "./owner-clauses.ts";

export const deploymentClause =
  (clause: DeploymentClause): Clause =>
  (expression) => {
    const { name, number, text } = expression;
    switch (clause.clause) {
      case "isOf":
      case "isNewOrOf":
        return ownerClause(clause)(expression);
      case "generationBelow":
        return `attribute_not_exists(${name("pk")}) OR ${name("generation")} < ${number(clause.generation)}`;
      case "generationAtMost":
        return `${name("generation")} <= ${number(clause.generation)}`;
      case "standsAs": {
        const { generation, delivery, status } = clause.standing;
        return `${name("generation")} = ${number(generation)} AND ${name("delivery")} = ${number(delivery)} AND ${name("status")} = ${text(status)}`;
      }
    }
  };
