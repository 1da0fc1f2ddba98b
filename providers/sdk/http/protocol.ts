/**
 * The protocol between Hearth and a provider that is a server, in the versions of the interface.
 * docs/provider-protocol.yaml is generated from these schemas.
 */

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import { OPTIONAL_FUNCTIONS } from "../members.ts";
import { idSchema } from "../read-answer.ts";
import { describedType, INTERFACE_VERSIONS, providerName } from "../read-provider.ts";
import { jsonObject } from "../read-value.ts";

/** Applies to a request, a description and a list. ANSWER_CHARS_MAX limits the answer to a call. */
export const BODY_BYTES_MAX = 4_194_304;
/** How much the two clocks may differ. A signature is valid for just as long. */
export const CLOCK_SECONDS_MAX = 300;
/** A shorter secret could be guessed. */
export const SECRET_CHARS_MIN = 32;

/** Milliseconds since 1970. */
export const TIME_HEADER = "hearth-time";
export const SIGNATURE_HEADER = "hearth-signature";

export const DESCRIBE_PATH = "/v1/describe";
export const LIST_PATH = "/v1/list";
const OPERATIONS_PATH = "/v1/operations/";

/** Some proxies rewrite encoded slashes, and a token contains slashes. */
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

export const waitingCallSchema = z.extend(callSchema, { handle: idSchema });

export const listSchema = z.object({ type: z.string(), properties: jsonObject });

export const idsSchema = z.array(z.string());

const remoteType = z.extend(describedType, {
  functions: z.array(z.enum(OPTIONAL_FUNCTIONS)),
});

export const descriptionSchema = z.strictObject({
  protocol: z.literal(INTERFACE_VERSIONS),
  name: providerName,
  types: z.record(z.string(), remoteType),
});

export type Description = z.infer<typeof descriptionSchema>;

export const REFUSALS = {
  bad_request: 400,
  wrong_signature: 401,
  wrong_time: 401,
  not_found: 404,
  unknown_type: 404,
  busy: 409,
  /** The server has seen a request with this token and the same or a later time. */
  replayed: 409,
  too_large: 413,
  too_many: 429,
} as const;

export type Refusal = keyof typeof REFUSALS;

export const refusalSchema = z.object({ error: z.string() });

interface SignedParts {
  readonly method: string;
  readonly path: string;
  readonly time: string;
  readonly body: string | Uint8Array;
}

export const signatureOf = (secret: string, { method, path, time, body }: SignedParts): string => {
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const text = [method, path, time, bodyHash].join("\n");
  return createHmac("sha256", secret).update(text).digest("hex");
};

/** Compares in constant time, so that an attacker cannot guess the signature digit by digit. */
export const isSignedBy = (secret: string, given: string, parts: SignedParts): boolean => {
  const wanted = Buffer.from(signatureOf(secret, parts));
  const found = Buffer.from(given);
  return found.length === wanted.length && timingSafeEqual(found, wanted);
};
