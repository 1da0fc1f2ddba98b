/** Reads recorded results of real Heat, or null when the folder is not beside the repository. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";

const SHARED = resolve(import.meta.dirname, "../../../../shared");

export const readShared = <T>(path: string, schema: z.ZodType<T>): T | null => {
  const file = resolve(SHARED, path);
  return existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, "utf8"))) : null;
};

export const json = z.json();
export const jsonObject = z.record(z.string(), z.json());
