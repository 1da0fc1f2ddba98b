import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { refuseWorkflow } from "./workflow-checks.ts";

/** Heat once had them in `policies`. */
const TASK_POLICIES = [
  "pause_before",
  "wait_after",
  "wait_before",
  "timeout",
  "concurrency",
  "retry",
];

export const mistralWorkflow: DeclaredType = {
  type: "OS::Mistral::Workflow",
  schema: {
    description: "A process made of one or more tasks that Mistral runs.",
    support: { since: "2015.1" },
    properties: {
      name: { type: "string", description: "The name of the workflow." },
      type: {
        type: "string",
        description: "How the workflow decides the order of its tasks.",
        required: true,
        updateAllowed: true,
        constraints: [{ allowedValues: ["direct", "reverse"] }],
      },
      use_request_body_as_input: {
        type: "boolean",
        description:
          "Whether the body of a signal holds the workflow inputs themselves. If false, it holds the keys input and params.",
        updateAllowed: true,
        support: { since: "6.0.0" },
      },
      tags: {
        type: "list",
        description: "The tags of the workflow.",
        updateAllowed: true,
        support: { since: "10.0.0" },
      },
      description: {
        type: "string",
        description: "A description of the workflow.",
        updateAllowed: true,
      },
      input: {
        type: "map",
        description: "The inputs of the workflow and their values.",
        updateAllowed: true,
      },
      output: {
        type: "map",
        description: "The output of the workflow. It may contain YAQL expressions.",
        updateAllowed: true,
      },
      params: {
        type: "map",
        description:
          "Parameters of the workflow run. A reverse workflow needs the target task in task_name.",
        updateAllowed: true,
      },
      task_defaults: {
        type: "map",
        description: "Settings for all tasks that do not have their own.",
        updateAllowed: true,
        support: { since: "5.0.0" },
        schema: {
          on_success: { type: "list", description: "The tasks to run next if the task succeeds." },
          on_error: { type: "list", description: "The tasks to run next if the task fails." },
          on_complete: {
            type: "list",
            description: "The tasks to run next, whether the task succeeds or fails.",
          },
          requires: {
            type: "list",
            description:
              "The tasks that must finish before the task starts. Only for reverse workflows.",
          },
          retry: {
            type: "map",
            description: "How to repeat the task if it fails, such as count and delay.",
          },
          wait_before: {
            type: "integer",
            description: "How long to wait before the task starts. In seconds.",
          },
          wait_after: {
            type: "integer",
            description:
              "How long to wait after the task ends before the next tasks start. In seconds.",
          },
          pause_before: {
            type: "boolean",
            description: "Whether the workflow pauses before the task starts.",
          },
          timeout: {
            type: "integer",
            description: "How long the task may take before it fails. In seconds.",
          },
          concurrency: {
            type: "integer",
            description:
              "How many actions the task may run at once. Only for tasks with with_items.",
            support: { since: "8.0.0" },
          },
        },
      },
      tasks: {
        type: "list",
        description: "The tasks of the workflow.",
        required: true,
        updateAllowed: true,
        constraints: [{ length: { min: 1 } }],
        items: {
          type: "map",
          schema: {
            name: { type: "string", description: "The name of the task.", required: true },
            description: { type: "string", description: "A description of the task." },
            input: {
              type: "map",
              description: "Input values for the action or workflow of the task.",
            },
            action: {
              type: "string",
              description:
                "The name of the action that the task runs. A task has either an action or a workflow.",
            },
            workflow: {
              type: "string",
              description:
                "The name of the workflow that the task runs. A task has either an action or a workflow.",
              constraints: [{ custom: "mistral.workflow" }],
            },
            publish: {
              type: "map",
              description: "The variables that the task adds to the workflow context.",
            },
            on_success: {
              type: "list",
              description: "The tasks to run next if the task succeeds.",
            },
            on_error: { type: "list", description: "The tasks to run next if the task fails." },
            on_complete: {
              type: "list",
              description: "The tasks to run next, whether the task succeeds or fails.",
            },
            policies: {
              type: "map",
              description: "The policies of the task. Set each policy on the task itself instead.",
              support: {
                status: "HIDDEN",
                since: "8.0.0",
                message: "Add needed policies directly to the task, Policy keyword is not needed",
                previous: { status: "DEPRECATED", since: "5.0.0", previous: { since: "2015.1" } },
              },
            },
            requires: {
              type: "list",
              description:
                "The tasks that must finish before the task starts. Only for reverse workflows.",
            },
            retry: {
              type: "map",
              description: "How to repeat the task if it fails, such as count and delay.",
              support: { since: "5.0.0" },
            },
            wait_before: {
              type: "integer",
              description: "How long to wait before the task starts. In seconds.",
              support: { since: "5.0.0" },
            },
            wait_after: {
              type: "integer",
              description:
                "How long to wait after the task ends before the next tasks start. In seconds.",
              support: { since: "5.0.0" },
            },
            pause_before: {
              type: "boolean",
              description: "Whether the workflow pauses before the task starts.",
              support: { since: "5.0.0" },
            },
            timeout: {
              type: "integer",
              description: "How long the task may take before it fails. In seconds.",
              support: { since: "5.0.0" },
            },
            with_items: {
              type: "string",
              description:
                "An expression that yields a list. The task runs its action or workflow once for each item.",
              support: { since: "5.0.0" },
            },
            keep_result: {
              type: "boolean",
              description: "Whether Mistral stores the results of the actions in the task.",
              support: { since: "5.0.0" },
            },
            concurrency: {
              type: "integer",
              description:
                "How many actions the task may run at once. Only for tasks with with_items.",
              support: { since: "8.0.0" },
            },
            target: {
              type: "string",
              description: "The name of the executor that runs the action of the task.",
              support: { since: "5.0.0" },
            },
            join: {
              type: "string",
              description:
                "How many preceding tasks must finish before the task starts. A number, or all.",
              support: { since: "6.0.0" },
            },
          },
        },
      },
    },
    translations: [
      ...TASK_POLICIES.map((key) => ({
        replace: ["tasks", key],
        by: { sibling: "policies", below: [key] },
      })),
      { delete: ["tasks", "policies"] },
    ],
    attributes: {
      data: { description: "The workflow name and its input values.", type: "map" },
      alarm_url: {
        description: "A signed URL that starts the workflow when it is called.",
        type: "string",
      },
      executions: {
        description: "The runs of the workflow, each with its ID, state, times, input and output.",
        type: "list",
      },
    },
    readWhenMade: ["name"],
    validate: refuseWorkflow,
  },
};
