/**
 * The names under which a stack's data is stored. Stored texts and documents depend on these bytes,
 * so no name here may change.
 */
import type { SealedPlace } from "#lib/ports/ports.ts";

type SealedField =
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

/**
 * The place of a sealed text: its stack, and the field of its record. A text that was copied from
 * another stack, record or field does not open (ADR 56).
 */
export const sealedPlace = (
  { tenant, stackId }: Owner,
  field: SealedField,
  id: string,
): SealedPlace => ({ context: `${tenant}/${stackId}`, field: `${field}/${id}` });

export const templatePrefix = (stackId: string): string => `template/${stackId}/`;
export const snapshotPrefix = (stackId: string): string => `snapshot/${stackId}/`;

/** For what the resources of the stack keep. */
export const resourcePrefix = (stackId: string): string => `resource/${stackId}/`;

/** The keys of all documents of a stack begin with these. */
export const documentPrefixes = (stackId: string): readonly string[] => [
  templatePrefix(stackId),
  snapshotPrefix(stackId),
  resourcePrefix(stackId),
];
