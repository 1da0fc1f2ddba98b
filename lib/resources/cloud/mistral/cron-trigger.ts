import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { isSet, noneOf } from "#lib/resources/cloud/refusals.ts";

const validate = (given: JsonObject): Refusal | null =>
  isSet(given, "pattern") || isSet(given, "first_time") ? null : noneOf("pattern", "first_time");

export const mistralCronTrigger: DeclaredType = {
  type: "OS::Mistral::CronTrigger",
  schema: {
    description: "A schedule on which Mistral runs a workflow.",
    support: { since: "5.0.0" },
    properties: {
      name: { type: "string", description: "The name of the trigger." },
      pattern: {
        type: "string",
        description: "When the workflow runs, as a cron expression.",
        constraints: [{ custom: "cron_expression" }],
      },
      workflow: {
        type: "map",
        description: "The workflow to run and its input.",
        required: true,
        schema: {
          name: {
            type: "string",
            description: "The workflow to run, by name or ID.",
            required: true,
            constraints: [{ custom: "mistral.workflow" }],
          },
          input: { type: "map", description: "Input values for each run of the workflow." },
        },
      },
      first_time: {
        type: "string",
        description: "When the workflow runs first. Written as YYYY-MM-DD hh:mm.",
      },
      count: { type: "integer", description: "How many times the workflow runs in all." },
    },
    attributes: {
      next_execution_time: {
        description: "When the workflow runs next, such as 2030-01-31 08:00:00.",
        type: "string",
      },
      remaining_executions: {
        description: "How many more times the workflow runs.",
        type: "integer",
      },
    },
    validate,
  },
};
