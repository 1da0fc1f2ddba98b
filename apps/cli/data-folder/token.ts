import { resolve } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import type { TokenEntry } from "#host/credentials.ts";
import { type Declaration, declare, locally } from "../declaration.ts";
import { badUsage } from "../failure.ts";
import { DataOptions, flag, option } from "../options.ts";
import { tableLines } from "../print.ts";
import { GlobalOptions, printer } from "../session.ts";

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

const TokenOptions = GlobalOptions.pick({ project: true, json: true }).extend(DataOptions.shape);

const CreateOptions = TokenOptions.extend({
  expires: option("--expires <age>", "such as 30d (default: never)", lifetimeMs.optional()),
  readOnly: flag("--read-only", "it reads, and changes nothing"),
  stack: option(
    "--stack <name>",
    "it reads and changes this stack only, which it may also create",
    z.string().optional(),
  ),
});

export const addTokenCommands = (program: Command): void =>
  declare(program.command("token"), create, list, revoke);

/** The default of --project is for people at their own host. A token needs a chosen project. */
const isProjectGiven = (command: Command): boolean =>
  command.getOptionValueSourceWithGlobals("project") !== "default";

const isoOrNever = (at: number | null): string =>
  at === null ? "never" : new Date(at).toISOString();

const documentOf = ({ id, project, createdAt, expiresAt, rights }: TokenEntry) => ({
  id,
  project,
  created_at: new Date(createdAt).toISOString(),
  expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  read_only: rights.mayOnlyRead === true,
  stack: rights.stack ?? null,
});

const rightsText = ({ mayOnlyRead, stack }: TokenEntry["rights"]): string =>
  `${mayOnlyRead ? "reads" : "all"}${stack === undefined ? "" : ` of stack ${stack}`}`;

/** These modules load SQLite, which the help does not need. */
const tokenWork = async () => ({
  ...(await import("#host/credentials.ts")),
  ...(await import("./folder-work.ts")),
});

const create: Declaration = {
  usage: "create",
  summary: "make a token for --project, and print it this once",
  action: locally(CreateOptions, async (options, _options: unknown, command: Command) => {
    const { data, json, project, expires = null, readOnly, stack } = options;
    if (!isProjectGiven(command)) throw badUsage("--project is missing: whose token is it?");
    const { createToken, folderWork } = await tokenWork();
    const rights = {
      ...(readOnly ? { mayOnlyRead: true } : {}),
      ...(stack === undefined ? {} : { stack }),
    };
    const made = folderWork("No token was made", () => createToken(data, project, expires, rights));
    const end = isoOrNever(made.expiresAt);
    printer(json)({ token: { ...documentOf(made), token: made.token } }, () => [made.token]);
    // Standard output contains only the token, for scripts.
    process.stderr.write(
      `Token ${made.id} of project ${project} in ${resolve(data)}, expires: ${end}. A host that only this machine reaches reads tokens with --auth tokens only.\n`,
    );
  }),
};

const list: Declaration = {
  usage: "list",
  summary: "the tokens that are valid, without their texts",
  action: locally(TokenOptions, async (options, _options: unknown, command: Command) => {
    const { data, json } = options;
    const wanted = isProjectGiven(command) ? options.project : null;
    const { listTokens, folderWork } = await tokenWork();
    const entries = folderWork("The tokens cannot be listed", () => listTokens(data, wanted));
    const rows = entries.map(({ id, project, createdAt, expiresAt, rights }) => [
      id,
      project,
      isoOrNever(createdAt),
      isoOrNever(expiresAt),
      rightsText(rights),
    ]);
    printer(json)({ tokens: entries.map(documentOf) }, () =>
      tableLines(["ID", "PROJECT", "CREATED", "EXPIRES", "MAY"], rows),
    );
  }),
};

const revoke: Declaration = {
  usage: "revoke",
  summary: "refuse a token from now on",
  words: (command) => command.argument("<token>", "its id, or the token itself"),
  action: locally(TokenOptions, async ({ data, json }, named: string) => {
    const { revokeToken, folderWork } = await tokenWork();
    const entry = folderWork("The token is as before", () => revokeToken(data, named));
    printer(json)({ revoked: documentOf(entry) }, () => [
      `Revoked the token ${entry.id} of project ${entry.project}.`,
    ]);
  }),
};
