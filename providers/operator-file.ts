/** The files of `--aws`, `--openstack` and `--ssh`: what the projects of a host may use. */
import type * as z from "zod/mini";
import { readValue } from "#provider/read-value.ts";

/** The text names the file and the place in it. */
export class OperatorFileRefused extends Error {
  override readonly name = "OperatorFileRefused";
}

/** `why` is the end of a sentence. */
export const unusableFile = (file: string, why: string, cause?: unknown): OperatorFileRefused =>
  new OperatorFileRefused(`${file} cannot be used: ${why}.`, { cause });

/** `given` is the file's content as data. Throws OperatorFileRefused. */
export const readOperatorFile = <Content>(
  schema: z.ZodMiniType<Content>,
  given: unknown,
  file: string,
): Content => {
  const read = readValue(schema, given);
  if ("wrong" in read) throw unusableFile(file, read.wrong);
  return read.value;
};
