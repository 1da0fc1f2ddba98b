import { propertyValueDependency } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { isGiven, reads } from "#lib/resources/cloud/given-values.ts";
import { member } from "#lib/template/json-shape.ts";

interface PolicyWords {
  readonly step: string;
  readonly type: string;
  readonly percent: string;
}

export const scalingPolicyProblem =
  ({ step, type, percent }: PolicyWords) =>
  (given: JsonObject): Problem =>
    reads(given, type) ??
    (isGiven(given, step) && member(given, type) !== percent
      ? propertyValueDependency(step, type, percent)
      : null);
