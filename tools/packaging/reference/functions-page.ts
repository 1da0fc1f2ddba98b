import { CFN_VERSIONS, VERSIONS, type Version } from "#lib/template/format.ts";
import { argumentTexts } from "#lib/template/functions/argument-texts.ts";
import type { TemplateFunction } from "#lib/template/functions/function.ts";
import {
  conditionFunctionsOf,
  functionsOf,
  ownConditionFunctionsOf,
} from "#lib/template/functions/table.ts";
import { CFN_FILES, FUNCTION_EXAMPLES, HOT_FILES } from "./function-examples.ts";
import { anchor, block, code, GENERATED, type Page, page, sentence, table } from "./markdown.ts";

interface Stage {
  readonly definition: TemplateFunction;
  readonly versions: readonly Version[];
}

const functionIn = (version: Version, name: string): TemplateFunction | undefined => {
  const own = functionsOf(version).get(name) ?? ownConditionFunctionsOf(version).get(name);
  return own?.description === undefined ? undefined : own;
};

const looks = ({ description, takes }: TemplateFunction): string =>
  JSON.stringify([description, takes === undefined ? [] : argumentTexts(takes)]);

const stagesOf = (name: string, versions: readonly Version[]): readonly Stage[] => {
  const stages: { definition: TemplateFunction; versions: Version[] }[] = [];
  for (const version of versions) {
    const definition = functionIn(version, name);
    if (definition === undefined) continue;
    const last = stages.at(-1);
    if (last !== undefined && looks(last.definition) === looks(definition)) {
      last.versions.push(version);
    } else stages.push({ definition, versions: [version] });
  }
  return stages;
};

const namesIn = (versions: readonly Version[]): readonly string[] => {
  const tables = versions.flatMap((version) => [
    functionsOf(version),
    ownConditionFunctionsOf(version),
  ]);
  const names = new Set(tables.flatMap((functions) => [...functions.keys()]));
  return [...names].filter((name) => versions.some((version) => functionIn(version, name)));
};

const versionsText = (versions: readonly Version[], all: readonly Version[]): string => {
  const [first = "", last = ""] = [versions.at(0), versions.at(-1)];
  if (last === all.at(-1)) return first === all.at(0) ? "All versions" : `Since ${first}`;
  return first === last ? `Only ${first}` : `From ${first} to ${last}`;
};

const stageLines = ({ definition, versions }: Stage, all: readonly Version[]): readonly string[] =>
  (definition.takes === undefined ? [] : argumentTexts(definition.takes)).flatMap((form) => [
    ...block(`${versionsText(versions, all)}: ${code(form.form)}`),
    ...table(
      ["argument", "shape", "what"],
      form.arguments.map(({ name, shape, meaning }) => [code(name), shape, meaning]),
    ),
  ]);

const placeText = (name: string, versions: readonly Version[]): string => {
  const owners = versions.filter((version) => ownConditionFunctionsOf(version).has(name));
  if (owners.length > 0) return "Only conditions know it.";
  const since = versions.find(
    (version) => conditionFunctionsOf(version).get(name)?.takes !== undefined,
  );
  return since === undefined ? "" : "It may stand in a condition.";
};

const sectionOf = (name: string, versions: readonly Version[]): readonly string[] => {
  const stages = stagesOf(name, versions).toReversed();
  const [newest] = stages;
  return [
    ...block(`### ${name}`),
    ...block(
      ...[sentence(newest?.definition.description ?? ""), placeText(name, versions)].filter(
        (text) => text !== "",
      ),
    ),
    ...stages.flatMap((stage) => stageLines(stage, versions)),
    ...block("```yaml", ...(FUNCTION_EXAMPLES[name] ?? []), "```"),
  ];
};

const chapter = (
  heading: string,
  versions: readonly Version[],
  names: readonly string[],
  files: Readonly<Record<string, readonly string[]>>,
): readonly string[] => [
  ...block(`## ${heading}`),
  ...block(names.map((name) => `[${name}](#${anchor(name)})`).join(", ")),
  ...block("The examples of this chapter stand in these files, and each gives what it says."),
  ...Object.values(files).flatMap((lines) => block("```yaml", ...lines, "```")),
  ...names.flatMap((name) => sectionOf(name, versions)),
];

const CFN_ONLY = new Set(namesIn(CFN_VERSIONS));

export const functionsPage = (): Page => {
  const hot = namesIn(VERSIONS).filter((name) => !CFN_ONLY.has(name));
  return {
    name: "functions.md",
    text: page([
      ...block("# Functions of templates"),
      ...block(...GENERATED),
      ...block(
        "[The reference](README.md), and [the language](../templates.md) with more examples.",
        "A function may stand in place of each argument, unless the shape says that none may.",
        "A condition is the name of one, a boolean, or a function that only conditions know.",
      ),
      ...chapter("Heat's language", VERSIONS, hot, HOT_FILES),
      ...chapter("CloudFormation's formats", CFN_VERSIONS, [...CFN_ONLY], CFN_FILES),
    ]),
  };
};
