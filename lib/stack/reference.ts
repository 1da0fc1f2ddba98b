/**
 * What other resources may ask of a resource: its reference id and its attributes. Both, and the
 * properties, are sealed at rest, because any of them may be a secret.
 */
import * as z from "zod";
import { type JsonObject, parseJson } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { cipherContext } from "./cipher-context.ts";

export interface Reference {
  readonly refId: string | null;
  readonly attributes: JsonObject;
}

type StackPart = Pick<Resource, "tenant" | "stackId">;

const referenceSchema = z.object({ refId: z.nullable(z.string()), attributes: jsonObject });

export const sealReference = (
  ports: Ports,
  owner: StackPart,
  reference: Reference,
): Promise<string> => ports.cipher.seal(cipherContext(owner), JSON.stringify(reference));

/** A row without a reference has no id and no attributes. */
export const openReference = async (
  ports: Ports,
  row: StackPart & Pick<Resource, "reference">,
): Promise<Reference> =>
  row.reference === null
    ? { refId: null, attributes: {} }
    : referenceSchema.parse(parseJson(await ports.cipher.open(cipherContext(row), row.reference)));

export const sealProperties = (
  ports: Ports,
  owner: StackPart,
  properties: JsonObject,
): Promise<string> => ports.cipher.seal(cipherContext(owner), JSON.stringify(properties));

export const openProperties = async (
  ports: Ports,
  owner: StackPart,
  sealed: string,
): Promise<JsonObject> =>
  jsonObject.parse(parseJson(await ports.cipher.open(cipherContext(owner), sealed)));
