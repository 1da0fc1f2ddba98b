/**
 * What goes over the wire between Hearth and a provider that is a server. The protocol has the
 * versions of the interface. docs/provider-protocol.yaml is made of these schemas.
 */
import * as z from "zod/mini";
import { jsonObject } from "../json-schema.ts";
import { OPTIONAL_FUNCTIONS } from "../members.ts";
import { idSchema } from "../read-answer.ts";
import { describedType, INTERFACE_VERSIONS, providerName } from "../read-provider.ts";

/** Of a request, and of a description or a list. An answer to a call has a limit of its own. */
export const BODY_BYTES_MAX = 4_194_304;
/** How far the clocks of the two may be apart. It is also how long a signature is good. */
export const CLOCK_SECONDS_MAX = 300;
/** A shorter one could be guessed. */
export const SECRET_CHARS_MIN = 32;

/** Milliseconds since 1970. */
export const TIME_HEADER = "hearth-time";
/** HMAC-SHA256 of method, path, time and body, as hexadecimal digits. */
export const SIGNATURE_HEADER = "hearth-signature";

export const DESCRIBE_PATH = "/v1/describe";
export const LIST_PATH = "/v1/list";
const OPERATIONS_PATH = "/v1/operations/";

/** A token has slashes, which some proxies rewrite in a path. */
export const operationPath = (token: string): string =>
  `${OPERATIONS_PATH}${encodeURIComponent(token.replaceAll("/", "~"))}`;

export const callSchema = z.object({
  type: z.string(),
  token: idSchema,
  action: z.enum(["CREATE", "UPDATE", "DELETE", "CHECK", "SUSPEND", "RESUME", "SNAPSHOT"]),
  tenant: z.string(),
  stackId: z.string(),
  stackName: z.string(),
  resourceId: z.string(),
  resourceName: z.string(),
  physicalId: z.nullable(idSchema),
  properties: jsonObject,
  previousProperties: z.nullable(jsonObject),
  repairs: z.optional(z.boolean()),
  deadline: z.number(),
});

/** For `poll`. */
export const waitingCallSchema = z.extend(callSchema, { handle: idSchema });

export const listSchema = z.object({ type: z.string(), properties: jsonObject });

export const idsSchema = z.array(z.string());

/** In the place of functions: the names of those that it has beside create and delete. */
const remoteType = z.extend(describedType, {
  functions: z.array(z.enum(OPTIONAL_FUNCTIONS)),
});

export const descriptionSchema = z.strictObject({
  protocol: z.literal(INTERFACE_VERSIONS),
  name: providerName,
  types: z.record(z.string(), remoteType),
});

export type Description = z.infer<typeof descriptionSchema>;

/** Why a request was refused, with the status. Nothing was done for it. */
export const REFUSALS = {
  bad_request: 400,
  wrong_signature: 401,
  wrong_time: 401,
  not_found: 404,
  unknown_type: 404,
  /** Another request of the token is being worked on. */
  busy: 409,
  /** A request of the token with this time, or with a later one, was there before. */
  replayed: 409,
  too_large: 413,
  too_many: 429,
} as const;

export type Refusal = keyof typeof REFUSALS;

export const refusalSchema = z.object({ error: z.string() });
