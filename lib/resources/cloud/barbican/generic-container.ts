import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { refuseDuplicateRefs } from "./duplicate-refs.ts";

const secretsSchema = z._default(z.array(z.object({ ref: z.string() })), []);

const validate = (given: JsonObject): string | null =>
  refuseDuplicateRefs(secretsSchema.parse(given["secrets"]).map(({ ref }) => ref));

export const barbicanGenericContainer: DeclaredType = {
  type: "OS::Barbican::GenericContainer",
  schema: {
    description: "A Barbican container that groups any number of stored secrets of any kind.",
    support: { since: "6.0.0" },
    properties: {
      name: { type: "string", description: "The name of the container." },
      secrets: {
        type: "list",
        description: "The secrets that the container groups.",
        items: {
          type: "map",
          schema: {
            name: {
              type: "string",
              description: "The name of the secret within the container.",
              required: true,
            },
            ref: {
              type: "string",
              description: "The secret, by its URI.",
              required: true,
              constraints: [{ custom: "barbican.secret" }],
            },
          },
        },
      },
    },
    attributes: {
      status: { description: "The container's status.", type: "string" },
      container_ref: { description: "The URI of the container.", type: "string" },
      secret_refs: {
        description: "The URIs of the secrets in the container, by name.",
        type: "map",
      },
      consumers: {
        description: "The registered users of the container, with their URLs.",
        type: "list",
      },
    },
    validate,
  },
};
