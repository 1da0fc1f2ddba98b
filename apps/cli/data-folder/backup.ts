import { existsSync } from "node:fs";
import type { Command } from "commander";
import { z } from "zod";
import { badUsage } from "../failure.ts";
import { addDataOption, dataFolder } from "../options.ts";
import { printer, readOptions } from "../session.ts";

const FolderOptions = z.object({ data: dataFolder, json: z.boolean().default(false) });

const KEEP_MAX = 10_000;
const KEEP_TEXT = `--keep is a number from 1 to ${KEEP_MAX}`;
const BackupOptions = FolderOptions.extend({
  to: z.string().min(1, "--to is empty").optional(),
  keep: z.coerce
    .number({ error: KEEP_TEXT })
    .int(KEEP_TEXT)
    .min(1, KEEP_TEXT)
    .max(KEEP_MAX, KEEP_TEXT)
    .optional(),
  verify: z.boolean().default(false),
});

export const addBackupCommands = (program: Command): void => {
  addDataOption(program.command("backup"))
    .argument("[file]", "the new file; it holds the keys too, so keep it secret")
    .option("--to <folder>", "a new file in this folder, which is for this host's backups only")
    .option("--keep <number>", "how many backups of that folder are kept; older ones are removed")
    .option("--verify", "check every byte of the file, which is there already; back up nothing")
    .action(backup);
  program
    .command("restore")
    .argument("<file>", "what `hearth backup` wrote")
    .requiredOption("--data <folder>", "the new data folder: absent or empty")
    .action(restore);
};

const backup = async (
  file: string | undefined,
  _options: unknown,
  command: Command,
): Promise<void> => {
  const { data, json, to, keep, verify: verifies } = readOptions(BackupOptions, command);
  const takenAt = new Date();
  if (to !== undefined) {
    if (file !== undefined || verifies || keep === undefined)
      throw badUsage("--to needs --keep, and no file and no --verify");
    return keepNewest({ data, json, to, keep, takenAt });
  }
  if (keep !== undefined) throw badUsage("--keep needs --to");
  if (file === undefined) throw badUsage("Name the file, or a folder with --to and --keep");
  if (verifies) return verify(file, json);
  const { makeBackup } = await import("./folder-work.ts");
  makeBackup(data, file, takenAt);
  printer(json)({ file, data, taken_at: takenAt.toISOString() }, () => [
    `${file} is a backup of ${data}. It holds the keys too, so keep it secret.`,
  ]);
};

interface Keeping {
  readonly data: string;
  readonly json: boolean;
  readonly to: string;
  readonly keep: number;
  readonly takenAt: Date;
}

const keepNewest = async ({ data, json, to, keep, takenAt }: Keeping): Promise<void> => {
  const { makeKeptBackup } = await import("./folder-work.ts");
  const { file, removed } = makeKeptBackup(data, to, keep, takenAt);
  printer(json)({ file, data, taken_at: takenAt.toISOString(), removed }, () => [
    `${file} is a backup of ${data}, and every byte of it was checked.`,
    ...removed.map((path) => `${path} was removed.`),
  ]);
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

const restore = async (file: string, _options: unknown, command: Command): Promise<void> => {
  const { data, json } = readOptions(FolderOptions, command);
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
};
