import { wholeProgram } from "../../apps/cli/program.ts";
import { alarmsPage } from "./alarms-page.ts";
import { commandPage } from "./command-page.ts";
import { limitsPage } from "./limits-page.ts";
import type { Page } from "./reference/markdown.ts";
import { referencePages } from "./reference/reference-pages.ts";
import { settingsPage } from "./settings-page.ts";

export const allReferencePages = async (): Promise<readonly Page[]> => [
  ...referencePages(),
  { name: "commands.md", text: commandPage(await wholeProgram()) },
  settingsPage(),
  limitsPage(),
  alarmsPage(),
];
