/**
 * The place of each sealed text: its stack, and the field of its record. A text that was copied
 * from another stack, record or field does not open (ADR 56). Stored texts depend on these bytes,
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

export const sealedPlace = (
  { tenant, stackId }: Owner,
  field: SealedField,
  id: string,
): SealedPlace => ({ context: `${tenant}/${stackId}`, field: `${field}/${id}` });

/**
 * The keys of a stack's documents begin with these: template records, snapshots, and what its
 * resources keep.
 */

export const templatePrefix = (stackId: string): string => `template/${stackId}/`;
export const snapshotPrefix = (stackId: string): string => `snapshot/${stackId}/`;

export const resourcePrefix = (stackId: string): string => `resource/${stackId}/`;

export const documentPrefixes = (stackId: string): readonly string[] => [
  templatePrefix(stackId),
  snapshotPrefix(stackId),
  resourcePrefix(stackId),
];
