/** Finds the templates in a folder. Other YAML and JSON files there are no templates. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "#lib/json.ts";
import { VERSION_KEYS } from "#lib/template/versions.ts";
import { UnreadableText } from "#lib/template/yaml/yaml-error.ts";
import { parseText } from "#lib/template/yaml.ts";
import { badUsage, CommandFailed } from "./failure.ts";
import { fileUrl, readSource } from "./source-file.ts";

export interface TemplateFolder {
  /** In the order of their names. */
  readonly templates: readonly string[];
  /** Environments and other files of YAML or JSON. */
  readonly others: number;
}

const ENDS: readonly string[] = [".yaml", ".yml", ".template", ".json"];
const FILES_MAX = 100_000;

/** A folder of tools is none of templates. */
const isHidden = (name: string): boolean => name.startsWith(".") || name === "node_modules";

/** Links are not followed: they may lead around in a circle. */
const filesIn = (folder: string): readonly string[] => {
  const found: string[] = [];
  const folders = [folder];
  for (const one of folders) {
    for (const entry of readdirSync(one, { withFileTypes: true })) {
      const path = join(one, entry.name);
      if (isHidden(entry.name)) continue;
      if (entry.isDirectory()) folders.push(path);
      if (entry.isFile() && ENDS.some((end) => entry.name.endsWith(end))) found.push(path);
    }
    if (found.length > FILES_MAX)
      throw new CommandFailed(`${folder} has more than ${FILES_MAX} files.`);
  }
  return found.sort();
};

/** Whether a text names the version of a template. One that cannot be read may be one. */
const isTemplate = (file: string): boolean => {
  const { text } = readSource(fileUrl(file), file);
  if (!VERSION_KEYS.some((key) => text.includes(key))) return false;
  try {
    const document = parseText(text);
    return !isJsonObject(document) || VERSION_KEYS.some((key) => Object.hasOwn(document, key));
  } catch (error) {
    if (error instanceof UnreadableText) return true;
    throw error;
  }
};

/** Of one file the user says that it is a template. Throws CommandFailed if there is nothing. */
export const templatesAt = (path: string): TemplateFolder => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw badUsage(`${path}: there is no such file.`);
  if (!found.isDirectory()) return { templates: [path], others: 0 };
  const files = filesIn(path);
  const templates = files.filter(isTemplate);
  return { templates, others: files.length - templates.length };
};
