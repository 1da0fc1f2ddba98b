import type { Command } from "commander";
import { z } from "zod";

export const DATA_FOLDER_DEFAULT = ".data";

export const dataFolder = z.string().min(1, "--data is empty");

export const addDataOption = (command: Command): Command =>
  command.option("--data <folder>", "the host's data folder", DATA_FOLDER_DEFAULT);
