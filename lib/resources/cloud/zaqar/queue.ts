import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const zaqarQueue: DeclaredType = {
  type: "OS::Zaqar::Queue",
  schema: {
    description:
      "A named channel for messages between applications. Usually each kind of work has its own queue.",
    support: { since: "2014.2" },
    templateName: "ZaqarQueue",
    properties: {
      name: {
        type: "string",
        description: "The name of the queue.",
        constraints: [{ length: { max: 64 } }],
      },
      metadata: {
        type: "map",
        description: "Key-value pairs stored with the queue.",
        updateAllowed: true,
      },
    },
    attributes: {
      queue_id: {
        description: "The ID of the queue.",
        support: {
          status: "HIDDEN",
          since: "6.0.0",
          previous: {
            status: "DEPRECATED",
            since: "2015.1",
            message:
              "Use get_resource|Ref command instead. For example: { get_resource : <resource_name> }",
            previous: { since: "2014.1" },
          },
        },
      },
      href: { description: "The URL of the queue in the Zaqar API." },
    },
  },
};
