/** Recorded results of the real Heat, if they lie beside the repository. */
import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "#lib/json.ts";

export const json = z.custom<Json>((value) => value !== undefined);
export const jsonObject = z.custom<JsonObject>(isJsonObject);

const folder = new URL("../../../../shared/oracles/", import.meta.url);

export const hasOracles = existsSync(folder);

/** Empty if the oracle is missing. */
export const readCases = <Case>(file: string, shape: z.ZodType<Case>): Case[] => {
  if (!hasOracles) return [];
  const text = readFileSync(new URL(file, folder), "utf8");
  return z.object({ cases: z.array(shape) }).parse(parseJson(text)).cases;
};

export const readOracle = (file: string): unknown =>
  hasOracles ? parseJson(readFileSync(new URL(file, folder), "utf8")) : {};

/** The error that a client would see. */
export const failureOf = (run: () => unknown): { code: string; message: string } | null => {
  try {
    run();
    return null;
  } catch (failure) {
    if (failure instanceof RequestError) return { code: failure.code, message: failure.message };
    throw failure;
  }
};
