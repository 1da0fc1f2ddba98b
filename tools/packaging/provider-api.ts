/**
 * The OpenAPI document of the protocol between Hearth and providers, generated from its schemas.
 */
import { stringify } from "yaml";
import * as z from "zod/mini";
import {
  BODY_BYTES_MAX,
  CLOCK_SECONDS_MAX,
  callSchema,
  descriptionSchema,
  idsSchema,
  listSchema,
  REFUSALS,
  refusalSchema,
  SIGNATURE_HEADER,
  TIME_HEADER,
  waitingCallSchema,
} from "#provider/http/protocol.ts";
import { answerSchema } from "#provider/read-answer.ts";
import { INTERFACE_VERSIONS, propertySchema } from "#provider/read-provider.ts";
import { json } from "#provider/read-value.ts";

const SCHEMAS = {
  Json: json,
  PropertySchema: propertySchema,
  Description: descriptionSchema,
  Call: callSchema,
  WaitingCall: waitingCallSchema,
  Answer: answerSchema,
  List: listSchema,
  Ids: idsSchema,
  Refusal: refusalSchema,
} as const;

const refTo = (name: string): string => `#/components/schemas/${name}`;

const jsonSchemas = () => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: refTo, io: "input" });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema]),
  );
};

const content = (schema: object) => ({ "application/json": { schema } });

const reference = (name: keyof typeof SCHEMAS) => ({ $ref: refTo(name) });

const refusals = () => {
  const statuses = new Set(Object.values(REFUSALS));
  return Object.fromEntries(
    [...statuses].sort().map((status) => {
      const codes = Object.entries(REFUSALS).flatMap(([code, at]) => (at === status ? [code] : []));
      return [status, { description: codes.join(", "), content: content(reference("Refusal")) }];
    }),
  );
};

const operation = (summary: string, body: keyof typeof SCHEMAS | null, answer: object) => ({
  summary,
  ...(body === null ? {} : { requestBody: { required: true, content: content(reference(body)) } }),
  responses: {
    200: { description: "It was done, or the call has failed.", content: content(answer) },
    ...refusals(),
  },
});

const headers = [
  {
    name: TIME_HEADER,
    in: "header",
    required: true,
    description: `Milliseconds since 1970. A server refuses a request whose time is more than ${CLOCK_SECONDS_MAX} seconds off. Of each token it refuses one whose time is not later than that of every other one.`,
    schema: { type: "string", pattern: "^[0-9]+$" },
  },
  {
    name: SIGNATURE_HEADER,
    in: "header",
    required: true,
    description:
      "HMAC-SHA256 of four lines with the secret: the method, the path from /v1 on, the time, and the SHA-256 of the body. Both hashes are hexadecimal digits. Between the lines is one newline.",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
  },
];

const ID = {
  name: "id",
  in: "path",
  required: true,
  description: "The token, with ~ in the place of each slash.",
  schema: { type: "string" },
};

const orNull = (schema: object) => ({ anyOf: [schema, { type: "null" }] });

const paths = () => ({
  "/v1/describe": {
    parameters: headers,
    get: operation(
      "What the provider has. Hearth asks when it starts.",
      null,
      reference("Description"),
    ),
  },
  "/v1/operations/{id}": {
    parameters: [...headers, ID],
    put: operation(
      "Begins an operation, or repeats it: the same token has one effect, as the type's policy says.",
      "Call",
      reference("Answer"),
    ),
  },
  "/v1/operations/{id}/poll": {
    parameters: [...headers, ID],
    post: operation(
      "How far an operation is that has answered waiting.",
      "WaitingCall",
      reference("Answer"),
    ),
  },
  "/v1/operations/{id}/find": {
    parameters: [...headers, ID],
    post: operation(
      "What an earlier CREATE with the token has made. Null: nothing.",
      "Call",
      orNull(reference("Answer")),
    ),
  },
  "/v1/operations/{id}/cancel": {
    parameters: [...headers, ID],
    post: operation("Ends an operation that has answered waiting.", "Call", { type: "null" }),
  },
  "/v1/list": {
    parameters: headers,
    post: operation("The ids of all objects, for the contract kit.", "List", reference("Ids")),
  },
});

export const providerApi = (): string =>
  stringify(
    {
      openapi: "3.1.0",
      info: {
        title: "Hearth provider protocol",
        version: String(INTERFACE_VERSIONS.at(-1)),
        description: `What Hearth asks a provider of resource types that is a server. A body has at most ${BODY_BYTES_MAX} bytes. Hearth follows no redirect. Made of providers/sdk/http/protocol.ts by npm run docs -- provider.`,
      },
      paths: paths(),
      components: { schemas: jsonSchemas() },
    },
    { lineWidth: 100, aliasDuplicateObjects: false },
  );
