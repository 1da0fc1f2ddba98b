import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const zaqarMistralTrigger: DeclaredType = {
  type: "OS::Zaqar::MistralTrigger",
  schema: {
    description:
      "A Zaqar subscription that runs a Mistral workflow for each message in a queue. The workflow finds the message in env().notification.",
    support: { since: "8.0.0" },
    properties: {
      queue_name: {
        type: "string",
        description: "The name of the queue that the subscription listens to.",
        required: true,
        constraints: [{ custom: "zaqar.queue" }],
      },
      ttl: {
        type: "integer",
        description: "How long the subscription lasts. In seconds.",
        default: 220367260800,
        updateAllowed: true,
        constraints: [{ range: { min: 60 } }],
      },
      workflow_id: {
        type: "string",
        description: "The ID of the workflow to run.",
        required: true,
        updateAllowed: true,
        constraints: [{ custom: "mistral.workflow" }],
      },
      params: {
        type: "map",
        description:
          "Parameters of the workflow run. Which ones apply depends on the type of workflow.",
        default: {},
        updateAllowed: true,
      },
      input: {
        type: "map",
        description: "Input values for each run of the workflow.",
        default: {},
        updateAllowed: true,
      },
    },
    attributes: {},
  },
};
