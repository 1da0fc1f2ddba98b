import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "#lib/json.ts";
import { VERSION_KEYS } from "#lib/template/format.ts";
import { UnreadableText } from "#lib/template/yaml/source.ts";
import { parseText } from "#lib/template/yaml/yaml.ts";
import { badUsage, CommandFailed } from "./failure.ts";
import { fileUrl, readSource } from "./source-file.ts";

export interface TemplateFolder {
  readonly templates: readonly string[];
  readonly others: number;
}

const ENDS: readonly string[] = [".yaml", ".yml", ".template", ".json"];
const FILES_MAX = 100_000;

const isHidden = (name: string): boolean => name.startsWith(".") || name === "node_modules";

/** Symbolic links are not followed, because they may lead in a circle. */
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

/** A file that mentions a version but cannot be parsed counts as a template. */
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

/** A single file that the user names counts as a template. */
export const templatesAt = (path: string): TemplateFolder => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw badUsage(`${path}: there is no such file.`);
  if (!found.isDirectory()) return { templates: [path], others: 0 };
  const files = filesIn(path);
  const templates = files.filter(isTemplate);
  return { templates, others: files.length - templates.length };
};
