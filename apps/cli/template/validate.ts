import type { Client } from "#client/client.ts";
import type { Plugin } from "#host/plugins/load-plugin.ts";
import type { Problem } from "#lib/authoring/find-problems.ts";
import { mergedMaps } from "#lib/json.ts";
import manifest from "../../../package.json" with { type: "json" };
import { CommandFailed } from "../failure.ts";
import { askingHostWith, type PluginOptions, usedPlugins } from "../plugin-options.ts";
import { oneLine, printable, tableLines, terminalWidth, valueText } from "../print.ts";
import { printer, type Session } from "../session.ts";
import { type Checked, checkTemplate, type Validation } from "./check-template.ts";
import { UnreadableFile } from "./source-file.ts";
import { readNewTarget, type Target, type TemplateOptions } from "./template-options.ts";

interface Options extends TemplateOptions, PluginOptions {
  readonly format: "text" | "sarif";
  readonly project: string;
}

export const validateTemplate = async (session: Session, options: Options): Promise<void> => {
  const plugins = await usedPlugins(options);
  const target = await targetOrProblem(options);
  const check = (client: Client): Promise<Checked> => checkTarget(client, target);
  const checked =
    plugins.length === 0
      ? await check(session.client)
      : await askingHostWith(plugins, options.project, check);
  const { problems, validation } = checked;
  const count = problems.length;
  if (options.format === "sarif") {
    printer(true)(sarifLog(problems, manifest.version), () => []);
  } else if (count === 0) {
    const unmade = await unmadeIn(target, plugins);
    const shown = mergedMaps<unknown>(validation, { without_provider: unmade });
    session.print(shown, () => validLines(checked, unmade));
  } else {
    session.print({ problems }, () => [
      ...problemLines(problems),
      ...uncheckedLines(checked.missing),
    ]);
  }
  if (count > 0) throw new CommandFailed(countText(count, checked.areAll));
};

/** So much of a value fits into a table of 80 columns. `--json` shows all of it. */
const DEFAULT_CHARACTERS_MAX = 40;

const shortened = (text: string): string => {
  const characters = Array.from(text);
  if (characters.length <= DEFAULT_CHARACTERS_MAX) return text;
  return `${characters.slice(0, DEFAULT_CHARACTERS_MAX - 1).join("")}…`;
};

type Described = Validation["Parameters"][string];

/** The default of a hidden parameter may be a secret. */
const HIDDEN = "******";

const defaultText = ({ Default, NoEcho }: Described): string => {
  if (Default === undefined) return "(required)";
  return NoEcho === "true" ? HIDDEN : shortened(valueText(Default));
};

const validLines = (
  { validation, missing }: Checked,
  unmade: readonly string[],
): readonly string[] => {
  const rows = Object.entries(validation?.Parameters ?? {}).map(([name, parameter]) => [
    name,
    parameter.Type,
    defaultText(parameter),
    parameter.Description,
  ]);
  const headers = ["PARAMETER", "TYPE", "DEFAULT", "DESCRIPTION"];
  const table = rows.length === 0 ? [] : tableLines(headers, rows, terminalWidth());
  const warnings = (validation?.Warnings ?? []).map((one) => `WARNING: ${oneLine(one)}`);
  const unchecked = uncheckedLines(missing);
  return ["The template is valid.", ...table, ...unchecked, ...warnings, ...unmadeLines(unmade)];
};

const unmadeLines = (unmade: readonly string[]): readonly string[] =>
  unmade.length === 0
    ? []
    : ["WARNING: A create is refused, because nothing here makes these resources:", ...unmade];

/** As in Heat, a template is valid even if no provider of the host can make its resources. */
const unmadeIn = async (
  target: Target | Problem,
  plugins: readonly Plugin[],
): Promise<readonly string[]> => {
  if (!("body" in target)) return [];
  const { missingProviders } = await import("./assess.ts");
  return missingProviders(target.body, plugins);
};

const uncheckedLines = (missing: readonly string[]): readonly string[] =>
  missing.length === 0 ? [] : [`Not checked are values that depend on: ${missing.join(", ")}`];

const UNREADABLE: Checked = { problems: [], areAll: true, validation: null, missing: [] };

/** A file that cannot be read is a problem of the template too. */
const targetOrProblem = async (options: TemplateOptions): Promise<Target | Problem> => {
  try {
    return await readNewTarget(options);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const { file, place, problem: message } = error.trouble;
    return { code: "UnreadableFile", message, file, place, suggestion: null };
  }
};

const checkTarget = async (client: Client, target: Target | Problem): Promise<Checked> =>
  "body" in target
    ? checkTemplate(client, target.inputs, target.body.parameters)
    : { ...UNREADABLE, problems: [target] };

/** @returns the lines that `hearth template validate` prints, or null if it finds no problem. */
export const problemText = async (client: Client, target: Target): Promise<string | null> => {
  const { problems, areAll } = await checkTarget(client, target);
  if (problems.length === 0) return null;
  const count = countText(problems.length, areAll);
  return [`The request is refused: ${count}.`, ...problemLines(problems)].join("\n");
};

const countText = (count: number, areAll: boolean): string => {
  const text = count === 1 ? "1 error" : `${count} errors`;
  return areAll ? text : `${text}, and there may be more`;
};

const SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

const sentence = ({ message, suggestion }: Problem): string =>
  suggestion === null ? message : `${message.replace(/\.$/, "")}. Did you mean "${suggestion}"?`;

/** Further lines are indented, so that no name in a message can forge a problem's line. */
const indented = (text: string): string => printable(text).replace(/\n(?! )/g, "\n  ");

export const problemLines = (problems: readonly Problem[]): readonly string[] =>
  problems.map((problem) => {
    const { file, place } = problem;
    const where = place === null ? file : `${file}:${place.line}:${place.column}`;
    return `${oneLine(where)}: error: ${indented(sentence(problem))}`;
  });

const region = ({ place }: Problem): object =>
  place === null ? {} : { region: { startLine: place.line, startColumn: place.column } };

export const sarifLog = (problems: readonly Problem[], version: string): object => ({
  $schema: SARIF_SCHEMA,
  version: "2.1.0",
  runs: [
    {
      tool: {
        driver: {
          name: "hearth",
          version,
          rules: [...new Set(problems.map(({ code }) => code))].map((id) => ({ id })),
        },
      },
      columnKind: "unicodeCodePoints",
      results: problems.map((problem) => ({
        ruleId: problem.code,
        level: "error",
        message: { text: sentence(problem) },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: problem.file.split("/").map(encodeURIComponent).join("/") },
              ...region(problem),
            },
          },
        ],
      })),
    },
  ],
});
