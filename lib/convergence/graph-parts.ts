/** Which part of a large graph has what. */

export const nodesPart = (number: number): string => `nodes ${number}`;
export const directoryPart = (number: number): string => `directory ${number}`;

/** The last part that starts at this position or before. */
export const partWith = (starts: readonly number[], at: number): number => {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
};

/** The directory that names a row: FNV-1a of its id. Stored graphs depend on it. */
export const bucketOf = (resourceId: string, directoryCount: number): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < resourceId.length; at++) {
    hash = Math.imul(hash ^ resourceId.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0) % directoryCount;
};
