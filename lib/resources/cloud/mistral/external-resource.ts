import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const mistralExternalResource: DeclaredType = {
  type: "OS::Mistral::ExternalResource",
  schema: {
    description:
      "An object of any kind that Mistral workflows create, update and delete. Each action on it runs its own workflow.",
    support: { since: "9.0.0" },
    templateName: "MistralExternalResource",
    properties: {
      actions: {
        type: "map",
        description: "The workflows to run, one for each action.",
        required: true,
        schema: {
          CREATE: {
            type: "map",
            description:
              "The workflow that runs when the object is created. Its output resource_id, if any, becomes the ID of the object.",
            schema: {
              workflow: {
                type: "string",
                description: "The workflow to run, by name or ID.",
                required: true,
                constraints: [{ custom: "mistral.workflow" }],
              },
              params: {
                type: "map",
                description:
                  "Parameters of the workflow run. A reverse workflow needs the target task in task_name.",
                default: {},
              },
            },
          },
          UPDATE: {
            type: "map",
            description: "The workflow that runs when the object is updated.",
            schema: {
              workflow: {
                type: "string",
                description: "The workflow to run, by name or ID.",
                required: true,
                constraints: [{ custom: "mistral.workflow" }],
              },
              params: {
                type: "map",
                description:
                  "Parameters of the workflow run. A reverse workflow needs the target task in task_name.",
                default: {},
              },
            },
          },
          SUSPEND: {
            type: "map",
            description: "The workflow that runs when the object is suspended.",
            schema: {
              workflow: {
                type: "string",
                description: "The workflow to run, by name or ID.",
                required: true,
                constraints: [{ custom: "mistral.workflow" }],
              },
              params: {
                type: "map",
                description:
                  "Parameters of the workflow run. A reverse workflow needs the target task in task_name.",
                default: {},
              },
            },
          },
          RESUME: {
            type: "map",
            description: "The workflow that runs when the object is resumed.",
            schema: {
              workflow: {
                type: "string",
                description: "The workflow to run, by name or ID.",
                required: true,
                constraints: [{ custom: "mistral.workflow" }],
              },
              params: {
                type: "map",
                description:
                  "Parameters of the workflow run. A reverse workflow needs the target task in task_name.",
                default: {},
              },
            },
          },
          DELETE: {
            type: "map",
            description: "The workflow that runs when the object is deleted.",
            schema: {
              workflow: {
                type: "string",
                description: "The workflow to run, by name or ID.",
                required: true,
                constraints: [{ custom: "mistral.workflow" }],
              },
              params: {
                type: "map",
                description:
                  "Parameters of the workflow run. A reverse workflow needs the target task in task_name.",
                default: {},
              },
            },
          },
        },
      },
      input: {
        type: "map",
        description: "Input values for each of the workflows.",
        default: {},
        updateAllowed: true,
      },
      description: {
        type: "string",
        description: "A description of the workflow runs.",
        default: "Heat managed",
      },
      replace_on_change_inputs: {
        type: "list",
        description: "The inputs whose change replaces the object instead of updating it.",
        default: [],
      },
      always_update: {
        type: "boolean",
        description: "Whether the UPDATE workflow runs even when no input has changed.",
        default: false,
      },
    },
    attributes: { output: { description: "The output of the latest workflow run.", type: "map" } },
  },
};
