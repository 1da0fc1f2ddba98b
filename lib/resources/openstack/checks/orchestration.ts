/** What Heat checks before it calls Mistral or Zaqar. */
import * as z from "zod/mini";
import { propertyConflict, propertyDependency, propertyUnspecified } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import type { CheckedDefinition, Problem } from "#lib/model/checked-definition.ts";
import { placeIn } from "#lib/template/format.ts";
import { member } from "#lib/template/json-shape.ts";
import { firstProblem, isGiven, isSet } from "../../given-values.ts";
import type { TypeRules } from "../catalogue.ts";

const paramsSchema = z._default(jsonObject, {});
const tasksSchema = z.array(jsonObject);

const TITLE = "Mistral resource validation error";

/** As in Heat, the place in these errors does not begin with the section `resources`. */
const placeOf = (name: string, ...path: readonly string[]): string =>
  path.reduce(placeIn, placeIn("", name).replace(/^\./, ""));

const hasConcurrency = (task: JsonObject): boolean => {
  const parsed = z.optional(jsonObject).parse(member(task, "policies"));
  return isGiven(task, "concurrency") || (parsed !== undefined && isGiven(parsed, "concurrency"));
};

const refuseTask = (
  task: JsonObject,
  type: string,
  name: string,
  { propertiesKey }: CheckedDefinition,
): Problem => {
  const hasWorkflow = isSet(task, "workflow");
  const hasAction = isSet(task, "action");
  if (hasWorkflow && hasAction) return propertyConflict("workflow", "action");
  if (!hasWorkflow && !hasAction) return propertyUnspecified("workflow", "action");
  if (isGiven(task, "requires") && type === "direct") {
    const named = z.string().parse(task["name"]);
    const place = placeOf(name, propertiesKey, "tasks", named, "requires");
    return `${TITLE}: ${place}: task ${named} contains property 'requires' in case of direct workflow. Only reverse workflows can contain property 'requires'.`;
  }
  return hasConcurrency(task) && !isGiven(task, "with_items")
    ? propertyDependency("concurrency", "with_items")
    : null;
};

const refuseWorkflow = (
  given: JsonObject,
  name: string,
  definition: CheckedDefinition,
): Problem => {
  const type = z.string().parse(given["type"]);
  if (type === "reverse" && !isSet(paramsSchema.parse(given["params"]), "task_name")) {
    const place = placeOf(name, definition.propertiesKey, "params");
    return `${TITLE}: ${place}: 'task_name' is not assigned in 'params' in case of reverse type workflow.`;
  }
  return firstProblem(tasksSchema.parse(given["tasks"]), (task) =>
    refuseTask(task, type, name, definition),
  );
};

const refuseCronTrigger = (given: JsonObject): Problem =>
  isSet(given, "pattern") || isSet(given, "first_time")
    ? null
    : propertyUnspecified("pattern", "first_time");

const SUBSCRIBER_TYPES = ["http", "https", "mailto", "trust+http", "trust+https"];

const refuseSubscription = (given: JsonObject): string | null => {
  const [kind = ""] = z.string().parse(given["subscriber"]).split(":", 1);
  return SUBSCRIBER_TYPES.includes(kind)
    ? null
    : `The subscriber type of must be one of: ${SUBSCRIBER_TYPES.join(", ")}.`;
};

export const ORCHESTRATION_RULES: Readonly<Record<string, TypeRules>> = {
  "OS::Mistral::CronTrigger": { validate: refuseCronTrigger },
  "OS::Mistral::Workflow": { validate: refuseWorkflow },
  "OS::Zaqar::Subscription": { validate: refuseSubscription },
};
