import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import {
  type DeclaredType,
  declaredTypes,
  type TypeRules,
} from "#lib/resources/cloud/declared-type.ts";
import { isSet, noneOf } from "#lib/resources/cloud/refusals.ts";
import types from "./types.json" with { type: "json" };
import { refuseWorkflow } from "./workflow-checks.ts";

const validate = (given: JsonObject): Refusal | null =>
  isSet(given, "pattern") || isSet(given, "first_time") ? null : noneOf("pattern", "first_time");

const mistralCronTrigger: TypeRules = {
  validate,
};

export const MISTRAL_TYPES: readonly DeclaredType[] = declaredTypes(types, {
  "OS::Mistral::CronTrigger": mistralCronTrigger,
  "OS::Mistral::Workflow": { validate: refuseWorkflow },
});
