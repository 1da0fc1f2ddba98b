import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const zaqarSubscription: DeclaredType = {
  type: "OS::Zaqar::Subscription",
  schema: {
    description:
      "A request to Zaqar to pass on the messages in a queue, to a webhook or email address.",
    support: { since: "8.0.0" },
    templateName: "ZaqarSubscription",
    properties: {
      queue_name: {
        type: "string",
        description: "The name of the queue that the subscription listens to.",
        required: true,
        constraints: [{ custom: "zaqar.queue" }],
      },
      subscriber: {
        type: "string",
        description: "The URI to notify, such as a webhook URL or mailto:ops@example.com.",
        required: true,
        updateAllowed: true,
      },
      ttl: {
        type: "integer",
        description: "How long the subscription lasts. In seconds.",
        default: 220367260800,
        updateAllowed: true,
        constraints: [{ range: { min: 60 } }],
      },
      options: {
        type: "map",
        description: "Settings for the notifications, such as the subject of an email.",
        updateAllowed: true,
      },
    },
    attributes: {},
  },
};
