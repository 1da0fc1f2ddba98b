import { type SettingText, settingTexts } from "../../infra/settings.ts";
import { block, code, GENERATED, type Page, page, table } from "./reference/markdown.ts";
import { fromReference } from "./reference-links.ts";

const EXPECTED = / (?:is|are) expected/;

const row = ({ name, initial, expects, what }: SettingText): readonly string[] => [
  code(name),
  expects.replace(EXPECTED, ""),
  initial === null ? "" : code(initial),
  fromReference(what),
];

export const settingsPage = (): Page => ({
  name: "settings.md",
  text: page([
    ...block("# Settings of a deployment on AWS"),
    ...block(...GENERATED),
    ...block(
      "Each is given as `-c name=value`, or under `context` in `cdk.json` ([Deploy](../operations.md#deploy)).",
      "An invalid value or an unknown name ends the command before anything is deployed.",
      "The settings of an embedded host are the options of [hearth serve](commands.md#hearth-serve).",
    ),
    ...table(["setting", "takes", "default", "what it does"], settingTexts().map(row)),
  ]),
});
