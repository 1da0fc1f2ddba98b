/**
 * The place of each sealed text: its stack, and the field of its record. A text that was copied
 * from another stack, record or field does not open (ADR 56). Stored texts depend on these bytes,
 * so no name here may change.
 */
import type { SealedPlace } from "#lib/ports/cipher.ts";

export type SealedField =
  | "blobs"
  | "configs.content"
  | "deliveries.outputTail"
  | "deployments.derivedConfig"
  | "deployments.inputValues"
  | "deployments.outputValues"
  | "resources.properties"
  | "resources.reference"
  | "servers.metadata"
  | "uploads.body";

export interface Owner {
  readonly tenant: string;
  readonly stackId: string;
}

export const sealedPlace = (
  { tenant, stackId }: Owner,
  field: SealedField,
  id: string,
): SealedPlace => ({ context: `${tenant}/${stackId}`, field: `${field}/${id}` });
