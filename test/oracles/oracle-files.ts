import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { isJsonObject, type Json, type JsonObject, parseJson } from "#lib/json.ts";

const BESIDE = fileURLToPath(new URL("../../../shared/oracles", import.meta.url));

export const json = z.custom<Json>((value) => value !== undefined);
export const jsonObject = z.custom<JsonObject>(isJsonObject);

export const oracleFolder = (): string => process.env["HEARTH_ORACLES"] ?? BESIDE;

export const whyNoOracles = (): string | null =>
  existsSync(join(oracleFolder(), "templates.json"))
    ? null
    : `there are no recorded answers of Heat in ${oracleFolder()} (HEARTH_ORACLES)`;

export const readOracle = <Shape>(file: string, shape: z.ZodType<Shape>): Shape =>
  shape.parse(parseJson(readFileSync(join(oracleFolder(), file), "utf8")));

export const readCases = <Case>(file: string, shape: z.ZodType<Case>): readonly Case[] =>
  readOracle(file, z.object({ cases: z.array(shape) })).cases;
