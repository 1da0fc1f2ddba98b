import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "#host/plugins/load-plugin.ts";
import { localTypes } from "#host/plugins/plugin-types.ts";
import { type AssessedResource, type Assessment, assessTemplate } from "#lib/authoring/assess.ts";
import { isJsonObject } from "#lib/json.ts";
import { VERSION_KEYS } from "#lib/template/format.ts";
import { UnreadableText } from "#lib/template/yaml/source.ts";
import { parseText } from "#lib/template/yaml/yaml.ts";
import { badUsage, CommandFailed } from "../failure.ts";
import { type PluginOptions, usedPlugins } from "../plugin-options.ts";
import { oneLine, printable, SECTION_INDENT, tableLines, terminalWidth } from "../print.ts";
import { printer } from "../session.ts";
import { builtInEnvironment } from "./built-in-environments.ts";
import { collectFiles, templateRequest } from "./files.ts";
import { allowed, besideFiles, EXISTING_MACHINES, isBuiltIn, type MayRead } from "./named-files.ts";
import { fileUrl, parseDocument, readSource } from "./source-file.ts";
import { environmentNames, type TemplateOptions, type templateBody } from "./template-options.ts";

const assessFile = async (
  file: string,
  environments: readonly string[],
  types: ReturnType<typeof localTypes>,
  mayRead: MayRead,
): Promise<FileAssessment> => {
  try {
    const request = templateRequest(collectFiles(file, environments, mayRead), {});
    return { file, ...(await assessTemplate(types, request)) };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { file, status: "refused", resources: [], warnings: [], error: error.message };
  }
};

interface Options extends PluginOptions {
  readonly environment?: TemplateOptions["environment"] | undefined;
  readonly inventory?: string | undefined;
  readonly allowFiles: boolean;
  readonly json: boolean;
}

/** `named` is a template, or a folder. */
export const assessTemplates = async (named: string, options: Options): Promise<void> => {
  const { json, inventory } = options;
  const { environment = inventory === undefined ? [EXISTING_MACHINES] : [] } = options;
  const environments = environmentNames({ environment, inventory, stubs: false });
  // A wrong environment would otherwise be reported with each template.
  for (const name of environments) {
    if (builtInEnvironment(name) === null) parseDocument(readSource(fileUrl(name), name));
  }
  const { templates, others } = templatesAt(named);
  // The templates of a folder may name each other's files.
  const own = environments
    .filter((name) => !isBuiltIn(name))
    .map((name) => fileURLToPath(fileUrl(name)));
  const mayRead =
    allowed(options.allowFiles) ?? besideFiles([...templates, join(named, "any"), ...own]);
  const types = localTypes(await usedPlugins(options));
  const files: FileAssessment[] = [];
  for (const file of templates) files.push(await assessFile(file, environments, types, mayRead));
  const totals = totalsOf(files, others);
  printer(json)({ environments, files, totals }, () =>
    assessmentLines(environments, files, totals),
  );
  const failed = totals.missing + totals.refused;
  if (failed > 0) throw new CommandFailed(`${failed} of ${files.length} templates cannot run`);
};

interface FileAssessment extends Assessment {
  readonly file: string;
}

const totalsOf = (files: readonly FileAssessment[], others: number) => {
  const count = (wanted: Assessment["status"]): number =>
    files.filter(({ status }) => status === wanted).length;
  return {
    runs: count("runs"),
    ignores: count("ignores"),
    missing: count("missing"),
    refused: count("refused"),
    others,
  };
};

const FILE_WORDS: Readonly<Record<Assessment["status"], string>> = {
  runs: "runs",
  ignores: "runs, and ignores some of it",
  missing: "cannot run",
  refused: "is refused",
};

const textOf = ({ status, ignored, instead, why }: AssessedResource): string => {
  if (status === "missing") return `missing: ${why}`;
  const names = Object.keys(ignored).join(", ");
  if (instead !== null) return `runs as ${instead}`;
  return names === "" ? "runs" : `runs, ignores ${names}`;
};

/** The table has no heading, because a heading would repeat with each file. */
const rowsOf = (columns: number, rows: readonly (readonly string[])[]): readonly string[] =>
  tableLines(
    Array.from({ length: columns }, () => ""),
    rows,
    terminalWidth() - SECTION_INDENT,
  ).slice(1);

const linesOf = ({ file, status, resources, warnings, error }: FileAssessment): string[] => {
  const rows = resources.map((one) => [one.name, one.type, textOf(one)]);
  const lines = [
    ...(error === null ? [] : printable(error).split("\n")),
    ...rowsOf(3, rows),
    ...warnings.map((warning) => `WARNING: ${oneLine(warning)}`),
  ];
  return [`${oneLine(file)}: ${FILE_WORDS[status]}`, ...lines.map((line) => `  ${line}`)];
};

const stoppingTypes = (files: readonly FileAssessment[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const { resources } of files) {
    const missing = resources.filter(({ status }) => status === "missing");
    for (const type of new Set(missing.map((one) => one.type))) {
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
  }
  const rows = [...counts]
    .sort(([left, few], [right, many]) => many - few || (left < right ? -1 : 1))
    .map(([type, count]) => [type, String(count)]);
  if (rows.length === 0) return [];
  return ["Missing, by templates:", ...rowsOf(2, rows).map((line) => `  ${line}`)];
};

const assessmentLines = (
  environments: readonly string[],
  files: readonly FileAssessment[],
  { runs, ignores, missing, refused, others }: ReturnType<typeof totalsOf>,
): readonly string[] => [
  `Assessed with ${environments.join(", ")}`,
  "",
  ...files.flatMap((file) => [...linesOf(file), ""]),
  ...stoppingTypes(files),
  `Templates: ${files.length}. Run: ${runs}. Run and ignore some of it: ${ignores}. Cannot run: ${missing}. Refused: ${refused}.`,
  ...(others === 0 ? [] : [`Other files: ${others}.`]),
];

/** What of templates runs here. The module loads the whole engine, so it is imported on demand. */
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

/** The resources of a valid template that no provider here can make. */
export const missingProviders = async (
  { parameters, ...files }: Awaited<ReturnType<typeof templateBody>>,
  plugins: readonly Plugin[],
): Promise<readonly string[]> => {
  const { resources } = await assessTemplate(
    localTypes(plugins),
    templateRequest(files, parameters),
  );
  return resources.flatMap(({ name, status, why }) =>
    status === "missing" ? [`${name}: ${why}`] : [],
  );
};
