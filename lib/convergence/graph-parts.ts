export const nodesPart = (number: number): string => `nodes ${number}`;
export const directoryPart = (number: number): string => `directory ${number}`;

/** The directory that names a row: FNV-1a of its id. Stored graphs depend on this function. */
export const bucketOf = (resourceId: string, directoryCount: number): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < resourceId.length; at++) {
    hash = Math.imul(hash ^ resourceId.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0) % directoryCount;
};
