import { existsSync } from "node:fs";
import type { Command } from "commander";
import { z } from "zod";
import { type Declaration, declare, locally } from "../declaration.ts";
import { badUsage } from "../failure.ts";
import { DataOptions, dataFolder, filled, flag, numberFrom, off, option } from "../options.ts";
import { printer } from "../session.ts";

const RestoreOptions = z.object({
  data: option("--data <folder>", "the new data folder: absent or empty", dataFolder),
  json: off,
});

const KEEP_MAX = 10_000;
const BackupOptions = DataOptions.extend({
  to: option(
    "--to <folder>",
    "a new file in this folder, which is for this host's backups only",
    filled("--to"),
  ),
  keep: option(
    "--keep <number>",
    "how many backups of that folder are kept; older ones are removed",
    numberFrom("--keep", 1, KEEP_MAX),
  ),
  verify: flag("--verify", "check every byte of the file, which is there already; back up nothing"),
  json: off,
});

export const addBackupCommands = (program: Command): void => declare(program, backup, restore);

const backup: Declaration = {
  usage: "backup",
  words: (command) =>
    command.argument("[file]", "the new file; it holds the keys too, so keep it secret"),
  action: locally(BackupOptions, async (options, file?: string) => {
    const { data, json, to, keep, verify: verifies } = options;
    const takenAt = new Date();
    const taken_at = takenAt.toISOString();
    if (to !== undefined) {
      if (file !== undefined || verifies || keep === undefined)
        throw badUsage("--to needs --keep, and no file and no --verify");
      const { makeKeptBackup } = await import("./folder-work.ts");
      const { file: made, removed } = makeKeptBackup(data, to, keep, takenAt);
      return printer(json)({ file: made, data, taken_at, removed }, () => [
        `${made} is a backup of ${data}, and every byte of it was checked.`,
        ...removed.map((path) => `${path} was removed.`),
      ]);
    }
    if (keep !== undefined) throw badUsage("--keep needs --to");
    if (file === undefined) throw badUsage("Name the file, or a folder with --to and --keep");
    if (verifies) return verify(file, json);
    const { makeBackup } = await import("./folder-work.ts");
    makeBackup(data, file, takenAt);
    printer(json)({ file, data, taken_at }, () => [
      `${file} is a backup of ${data}. It holds the keys too, so keep it secret.`,
    ]);
  }),
};

const verify = async (file: string, json: boolean): Promise<void> => {
  if (!existsSync(file)) throw badUsage(`${file} does not exist.`);
  const { checkBackup } = await import("./folder-work.ts");
  const { version, takenAt } = checkBackup(file);
  const taken_at = new Date(takenAt).toISOString();
  printer(json)({ file, taken_at, version }, () => [
    `${file} is whole: the state of ${taken_at}, by Hearth ${version}. This version can restore it.`,
  ]);
};

const restore: Declaration = {
  usage: "restore",
  words: (command) => command.argument("<file>", "what `hearth backup` wrote"),
  action: locally(RestoreOptions, async ({ data, json }, file: string) => {
    if (!existsSync(file)) throw badUsage(`${file} does not exist.`);
    const { restoreBackup } = await import("./folder-work.ts");
    const { version, takenAt, tokens, signingKeys } = restoreBackup(file, data);
    const taken_at = new Date(takenAt).toISOString();
    printer(json)({ file, data, taken_at, version, tokens, signing_keys: signingKeys }, () => [
      `${data} is as it was at ${taken_at}, under Hearth ${version}.`,
      "Do not run the former host too: both would work on the same resources and servers.",
      ...(tokens === 0
        ? []
        : [
            `Its API tokens are valid as they were then (${tokens}). Revoke again what was revoked since: "hearth token list --data ${data}".`,
          ]),
      `Its signing keys are those of that moment (${signingKeys}). If one has leaked since: "hearth keys rotate --leaked --data ${data}".`,
      "What was made after the backup is in no stack: look for it at your providers.",
    ]);
  }),
};
