import type { Command } from "commander";
import { z } from "zod";
import { badUsage } from "../failure.ts";
import { addDataOption, dataFolder } from "../options.ts";
import { GlobalOptions, readOptions } from "../session.ts";

const SECONDS = { d: 86_400, h: 3_600, m: 60 };
const LIFETIME_DAYS_MAX = 3_650;
const LIFETIME_TEXT = `--expires is a number of days, hours or minutes, such as 30d, 12h or 90m, and at most ${LIFETIME_DAYS_MAX}d`;

const lifetimeMs = z
  .string()
  .regex(/^[1-9]\d{0,9}[dhm]$/, LIFETIME_TEXT)
  .transform((text) => {
    const unit = z.enum(["d", "h", "m"]).parse(text.at(-1));
    return Number.parseInt(text, 10) * SECONDS[unit] * 1_000;
  })
  .refine((ms) => ms <= LIFETIME_DAYS_MAX * SECONDS.d * 1_000, LIFETIME_TEXT);

const TokenOptions = GlobalOptions.pick({ project: true, json: true }).extend({
  data: dataFolder,
  expires: lifetimeMs.optional(),
  readOnly: z.boolean().default(false),
  stack: z.string().optional(),
});

export const addTokenCommands = (program: Command): void => {
  const token = program.command("token");
  const add = (name: string, summary: string): Command =>
    addDataOption(token.command(name).summary(summary));
  add("create", "make a token for --project, and print it this once")
    .option("--expires <age>", "such as 30d (default: never)")
    .option("--read-only", "it reads, and changes nothing")
    .option("--stack <name>", "it reads and changes this stack only, which it may also create")
    .action(create);
  add("list", "the tokens that are valid, without their texts").action(list);
  add("revoke", "refuse a token from now on")
    .argument("<token>", "its id, or the token itself")
    .action(revoke);
};

/** The default of --project is for people at their own host. A token needs a chosen project. */
const isProjectGiven = (command: Command): boolean =>
  command.getOptionValueSourceWithGlobals("project") !== "default";

const create = async (_options: unknown, command: Command): Promise<void> => {
  const { expires = null, readOnly, stack, ...options } = readOptions(TokenOptions, command);
  if (!isProjectGiven(command)) throw badUsage("--project is missing: whose token is it?");
  const { createIn } = await import("./token-actions.ts");
  const rights = {
    ...(readOnly ? { mayOnlyRead: true } : {}),
    ...(stack === undefined ? {} : { stack }),
  };
  createIn(options, expires, rights);
};

const list = async (_options: unknown, command: Command): Promise<void> => {
  const { project, ...options } = readOptions(TokenOptions, command);
  const { listIn } = await import("./token-actions.ts");
  listIn({ ...options, project: isProjectGiven(command) ? project : null });
};

const revoke = async (named: string, _options: unknown, command: Command): Promise<void> => {
  const options = readOptions(TokenOptions, command);
  const { revokeIn } = await import("./token-actions.ts");
  revokeIn(options, named);
};
