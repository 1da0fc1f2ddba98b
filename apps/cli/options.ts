/** Options that several commands have, and how their texts are read. */
import type { Command } from "commander";
import { z } from "zod";
import { mapOf } from "#lib/json.ts";
import { badUsage } from "./failure.ts";

/** An option without a value. */
export const flag = z.boolean().default(false);

/** For `-e a -e b`: each use of the option adds a value. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

export const readPairs = (
  option: string,
  texts: readonly string[],
): Readonly<Record<string, string>> =>
  mapOf(
    texts.map((text) => {
      const at = text.indexOf("=");
      if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
      throw badUsage(`${option} ${text}: use the form name=value`);
    }),
  );

export const addWaitOptions = (command: Command): Command =>
  command
    .option("--no-wait", "return as soon as the request is accepted")
    .option("--wait-timeout <time>", "stop waiting after 90s, 10m or 2h; the operation goes on");

export const DATA_FOLDER_DEFAULT = ".data";

export const dataFolder = z.string().min(1, "--data is empty");

export const addDataOption = (command: Command): Command =>
  command.option("--data <folder>", "the host's data folder", DATA_FOLDER_DEFAULT);

const MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const AGE = /^(\d{1,9})([smhd])$/;
/** Heat's events also have times without a zone, which are in UTC. */
const INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

const durationMs = (text: string): number | null => {
  const [, count, unit] = AGE.exec(text) ?? [];
  if (count === undefined) return null;
  return Number(count) * MS[z.enum(["s", "m", "h", "d"]).parse(unit)];
};

export const numberFrom = (option: string, min: number, max: number) => {
  const text = `${option} is a number from ${min} to ${max}`;
  return z.coerce.number({ error: text }).int(text).min(min, text).max(max, text).optional();
};

export const filled = (option: string) => z.string().min(1, `${option} is empty`).optional();

/** The option's value is in milliseconds. */
export const durationOption = (option: string, daysMax: number) =>
  z.string().transform((text, context) => {
    const ms = durationMs(text);
    if (ms !== null && ms > 0 && ms <= daysMax * MS.d) return ms;
    context.addIssue(`${option} is a time such as 90s, 10m or 2h, of at most ${daysMax}d`);
    return z.NEVER;
  });

/** Milliseconds since 1970. An age counts back from now. */
export const instantOption = (option: string, now: () => number) =>
  z.string().transform((text, context) => {
    const age = durationMs(text);
    if (age !== null) return now() - age;
    const zoned = /(?:Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes("T") ? text : `${text}Z`;
    const at = INSTANT.test(text) ? Date.parse(zoned) : Number.NaN;
    if (!Number.isNaN(at)) return at;
    context.addIssue(
      `${option} is an age such as 10m, 2h or 7d, or a time such as 2026-01-31T12:00:00Z`,
    );
    return z.NEVER;
  });
