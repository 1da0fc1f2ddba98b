import { statfsSync } from "node:fs";

export interface DiskSpace {
  readonly bytes: number;
  readonly freeBytes: number;
}

export const diskSpace = (folder: string): DiskSpace => {
  const { bsize, blocks, bavail } = statfsSync(folder);
  return { bytes: bsize * blocks, freeBytes: bsize * bavail };
};
