/** How options are declared, those that several commands have, and how their texts are read. */
import { type Command, Option } from "commander";
import { z } from "zod";
import { mapOf } from "#lib/json.ts";
import { badUsage } from "./failure.ts";

/**
 * Declares an option once: the shape of its value carries the flags and the line of the help. An
 * object of such shapes is therefore all that a command says of its options. A field that is
 * neither optional nor has a default is mandatory, an enum has choices, and an option with a list
 * may be repeated.
 */
export const option = <Shape extends z.ZodType>(
  flags: string,
  description: string,
  shape: Shape,
  conflicts: readonly string[] = [],
): Shape => shape.meta({ flags, description, conflicts });

export const flag = (flags: string, description: string, conflicts: readonly string[] = []) =>
  option(flags, description, z.boolean().default(false), conflicts);

/** A flag of another command, which shares the code but does not have it. */
export const off = z.boolean().default(false);

const Declared = z.object({
  flags: z.string(),
  description: z.string(),
  conflicts: z.array(z.string()),
});

const bareShape = (shape: unknown): unknown =>
  shape instanceof z.ZodOptional || shape instanceof z.ZodDefault
    ? bareShape(shape.unwrap())
    : shape;

export const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

const commandOption = (shape: z.ZodType): Option | null => {
  const declared = Declared.safeParse(shape.meta());
  if (!declared.success) return null;
  const { flags, description, conflicts } = declared.data;
  const made = new Option(flags, description).conflicts([...conflicts]);
  const bare = bareShape(shape);
  if (bare instanceof z.ZodEnum) made.choices(bare.options.map(String));
  if (bare instanceof z.ZodArray) made.argParser(collect);
  if (made.isBoolean()) return made;
  if (bare === shape) return made.makeOptionMandatory();
  const initial = shape instanceof z.ZodDefault ? shape.def.defaultValue : undefined;
  return Array.isArray(initial) ? made : made.default(initial);
};

export const addOptions = (command: Command, { shape }: z.ZodObject): void => {
  for (const field of Object.values(shape)) {
    const made = field instanceof z.ZodType ? commandOption(field) : null;
    if (made !== null) command.addOption(made);
  }
};

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

/** A timer of Node fires at once if it is set to more than 24.8 days. */
const WAIT_DAYS_MAX = 24;

export const WaitTimeout = z.object({
  waitTimeout: option(
    "--wait-timeout <time>",
    "stop waiting after 90s, 10m or 2h; the operation goes on",
    durationOption("--wait-timeout", WAIT_DAYS_MAX).optional(),
  ),
});

export const WaitOptions = z.object({
  wait: option("--no-wait", "return as soon as the request is accepted", z.boolean().default(true)),
  ...WaitTimeout.shape,
});

export const yes = flag("-y, --yes", "do not ask");

export const DATA_FOLDER_DEFAULT = ".data";

export const dataFolder = z.string().min(1, "--data is empty");

export const DataOptions = z.object({
  data: option(
    "--data <folder>",
    "the host's data folder",
    dataFolder.default(DATA_FOLDER_DEFAULT),
  ),
});
