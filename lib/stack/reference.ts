/** What other resources may ask of a resource: its reference id and its attributes, sealed at rest because either may be a secret. */
import * as z from "zod";
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";

export interface Reference {
  readonly refId: string | null;
  readonly attributes: JsonObject;
}

/** What JSON.parse has made needs no look at each of its members. */
const jsonObject = z.custom<JsonObject>((value) => isJsonObject(value));
const referenceSchema = z.object({ refId: z.nullable(z.string()), attributes: jsonObject });

const cipherContext = (owner: { readonly tenant: string; readonly stackId: string }): string =>
  `${owner.tenant}/${owner.stackId}`;

type Owner = { readonly tenant: string; readonly stackId: string };

export const sealReference = (ports: Ports, owner: Owner, reference: Reference): Promise<string> =>
  ports.cipher.seal(cipherContext(owner), JSON.stringify(reference));

/** Of a row that has none yet: no id and no attributes. */
export const openReference = async (
  ports: Ports,
  row: Owner & Pick<Resource, "reference">,
): Promise<Reference> =>
  row.reference === null
    ? { refId: null, attributes: {} }
    : referenceSchema.parse(JSON.parse(await ports.cipher.open(cipherContext(row), row.reference)));

export const sealProperties = (
  ports: Ports,
  owner: Owner,
  properties: JsonObject,
): Promise<string> => ports.cipher.seal(cipherContext(owner), JSON.stringify(properties));

export const openProperties = async (
  ports: Ports,
  owner: Owner,
  sealed: string,
): Promise<JsonObject> =>
  jsonObject.parse(JSON.parse(await ports.cipher.open(cipherContext(owner), sealed)));
