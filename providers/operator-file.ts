/** Reads the files of `--aws`, `--openstack` and `--ssh`, which say what each project may use. */
import type * as z from "zod/mini";
import { readValue } from "#provider/read-value.ts";

export class OperatorFileRefused extends Error {
  override readonly name = "OperatorFileRefused";
}

export const unusableFile = (file: string, why: string, cause?: unknown): OperatorFileRefused =>
  new OperatorFileRefused(`${file} cannot be used: ${why}.`, { cause });

/** `given` is the parsed content of the file. Throws OperatorFileRefused. */
export const readOperatorFile = <Content>(
  schema: z.ZodMiniType<Content>,
  given: unknown,
  file: string,
): Content => {
  const read = readValue(schema, given);
  if ("wrong" in read) throw unusableFile(file, read.wrong);
  return read.value;
};
