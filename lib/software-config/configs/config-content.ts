/** Stored configs: JSON, sealed for their stack because inputs may hold secrets. */
import * as z from "zod/mini";
import { type JsonObject, parseJson } from "#lib/json.ts";
import { json, jsonObject } from "#lib/json-schema.ts";
import type { ConfigContent } from "#lib/model/software-config.ts";
import type { Cipher } from "#lib/ports/cipher.ts";
import { cipherContext } from "#lib/stack/cipher-context.ts";
import { IO_TYPES } from "./config-schema.ts";

const inputSchema = z.object({
  name: z.string(),
  type: z.enum(IO_TYPES),
  description: z.exactOptional(z.string()),
  default: z.exactOptional(json),
  replace_on_change: z.exactOptional(z.boolean()),
  value: z.exactOptional(json),
});

const outputSchema = z.object({
  name: z.string(),
  type: z.enum(IO_TYPES),
  description: z.exactOptional(z.string()),
  error_output: z.boolean(),
});

const contentSchema = z.object({
  name: z.string(),
  group: z.string(),
  config: json,
  inputs: z.array(inputSchema),
  outputs: z.array(outputSchema),
  options: jsonObject,
});

/** The stack that a record belongs to. It is the context of the encryption. */
export interface Owner {
  readonly tenant: string;
  readonly stackId: string;
}

export const sealText = (cipher: Cipher, owner: Owner, text: string): Promise<string> =>
  cipher.seal(cipherContext(owner), text);

export const openText = (cipher: Cipher, owner: Owner, sealed: string): Promise<string> =>
  cipher.open(cipherContext(owner), sealed);

export const sealContent = (
  cipher: Cipher,
  owner: Owner,
  content: ConfigContent,
): Promise<string> => sealText(cipher, owner, JSON.stringify(content));

export const openContent = async (
  cipher: Cipher,
  owner: Owner,
  sealed: string,
): Promise<ConfigContent> => contentSchema.parse(parseJson(await openText(cipher, owner, sealed)));

export const sealObject = (cipher: Cipher, owner: Owner, value: JsonObject): Promise<string> =>
  sealText(cipher, owner, JSON.stringify(value));

export const openObject = async (
  cipher: Cipher,
  owner: Owner,
  sealed: string,
): Promise<JsonObject> => jsonObject.parse(parseJson(await openText(cipher, owner, sealed)));
