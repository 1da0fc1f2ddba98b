import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

const SUBSCRIBER_TYPES = ["http", "https", "mailto", "trust+http", "trust+https"];

/** As in Heat, an address that other resources give is refused where its start is unknown. */
const validate = (given: JsonObject): string | null => {
  const [kind = ""] = z.string().parse(given["subscriber"]).split(":", 1);
  return SUBSCRIBER_TYPES.includes(kind)
    ? null
    : `The subscriber type of must be one of: ${SUBSCRIBER_TYPES.join(", ")}.`;
};

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
    validate,
  },
};
