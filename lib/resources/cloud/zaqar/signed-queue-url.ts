import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const zaqarSignedQueueUrl: DeclaredType = {
  type: "OS::Zaqar::SignedQueueURL",
  schema: {
    description:
      "A signed URL that gives limited access to a Zaqar queue for a time. An Aodh alarm can use one as an action.",
    support: { since: "8.0.0" },
    templateName: "ZaqarSignedQueueURL",
    properties: {
      queue: {
        type: "string",
        description: "The name of the queue that the URL gives access to.",
        required: true,
      },
      paths: { type: "list", description: "The API paths that the URL gives access to." },
      ttl: { type: "integer", description: "How long the URL stays valid. In seconds." },
      methods: {
        type: "list",
        description: "The HTTP methods that the URL allows.",
        items: {
          type: "string",
          constraints: [{ allowedValues: ["GET", "DELETE", "PATCH", "POST", "PUT"] }],
        },
      },
    },
    attributes: {
      signature: { description: "The signature that Zaqar made for the URL." },
      expires: { description: "When the URL stops being valid." },
      paths: { description: "The API paths that the URL gives access to, separated by commas." },
      methods: { description: "The HTTP methods that the URL allows, separated by commas." },
      project: { description: "The ID of the project that owns the queue." },
      query_str: { description: "The query string that carries the signature and access rights." },
    },
  },
};
