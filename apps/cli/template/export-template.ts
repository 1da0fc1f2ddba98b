import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { stringify } from "yaml";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { jsonText, writeLines, YAML } from "../print.ts";
import { unwritable } from "../private-file.ts";
import { openSession, readOptions } from "../session.ts";

const ExportOptions = z.object({ outputFile: z.string().min(1).optional() });

export const exportTemplate = async (
  nameOrId: string,
  _options: unknown,
  command: Command,
): Promise<void> => {
  const session = openSession(command);
  const { outputFile } = readOptions(ExportOptions, command);
  const stack = await session.client.findStack(nameOrId);
  const path = `${stackPath(stack)}/template`;
  const template = await session.client.request("GET", path, z.looseObject({}));
  const text = (session.json ? jsonText(template) : stringify(template, YAML)).trimEnd();
  if (outputFile === undefined) return writeLines([text]);
  try {
    writeFileSync(outputFile, `${text}\n`);
  } catch (error) {
    throw unwritable(outputFile, error);
  }
};
