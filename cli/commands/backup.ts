/** backup and restore: a data folder in one file. Their modules are loaded on demand. */
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { z } from "zod";
import { badUsage } from "../failure.ts";
import { printer, readOptions } from "../session.ts";
import { addDataOption, dataFolder } from "./data-folder.ts";

const FolderOptions = z.object({ data: dataFolder, json: z.boolean().default(false) });

export const addBackupCommands = (program: Command): void => {
  addDataOption(program.command("backup"))
    .argument("<file>", "the new file; it holds the keys too, so keep it secret")
    .action(backup);
  program
    .command("restore")
    .argument("<file>", "what `hearth backup` wrote")
    .requiredOption("--data <folder>", "the new data folder: absent or empty")
    .action(restore);
};

const backup = async (file: string, _options: unknown, command: Command): Promise<void> => {
  const { data, json } = readOptions(FolderOptions, command);
  const { makeBackup } = await import("../backup.ts");
  const takenAt = new Date();
  makeBackup(data, file, takenAt);
  printer(json)({ file, data, taken_at: takenAt.toISOString() }, () => [
    `${file} is a backup of ${data}. It holds the keys too, so keep it secret.`,
  ]);
};

const restore = async (file: string, _options: unknown, command: Command): Promise<void> => {
  const { data, json } = readOptions(FolderOptions, command);
  if (!existsSync(file)) throw badUsage(`${file} does not exist.`);
  const { restoreBackup } = await import("../backup.ts");
  const { version, takenAt } = restoreBackup(file, data);
  const taken_at = new Date(takenAt).toISOString();
  printer(json)({ file, data, taken_at, version }, () => [
    `${data} is as it was at ${taken_at}, under Hearth ${version}.`,
    "Do not run the former host too: both would work on the same resources and servers.",
  ]);
};
