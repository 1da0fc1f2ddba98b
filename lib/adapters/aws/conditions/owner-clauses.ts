import type { OwnerClause } from "#lib/ports/conditions.ts";
import type { Clause } from "./expression.ts";

export const ownerClause =
  (clause: OwnerClause): Clause =>
  ({ name, text }) => {
    const isOf = `${name("tenant")} = ${text(clause.tenant)}`;
    return clause.clause === "isOf" ? isOf : `attribute_not_exists(${name("tenant")}) OR ${isOf}`;
  };
