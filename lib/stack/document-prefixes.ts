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
