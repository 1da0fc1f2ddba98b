import type { Block } from "./document-blocks.ts";

const SHELLS: readonly string[] = ["sh", ""];
const WITH_OUTPUT = "console";
const PROMPT = "$ ";

const commandsIn = (text: string): readonly string[] => {
  const commands: string[] = [];
  for (const line of text.replaceAll(/\\\n\s*/g, "").split("\n")) {
    const last = commands.pop();
    if (last === undefined) commands.push(line);
    else if (line.startsWith(" ")) commands.push(`${last}\n${line}`);
    else commands.push(last, line);
  }
  return commands.filter((command) => command.trim() !== "");
};

export const commandsWithoutOutput = (blocks: readonly Block[]): readonly string[] =>
  blocks
    .filter(({ language }) => SHELLS.includes(language))
    .flatMap(({ text }) => commandsIn(text));

export const commandCount = (blocks: readonly Block[]): number =>
  commandsWithoutOutput(blocks).length +
  blocks
    .filter(({ language }) => language === WITH_OUTPUT)
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => line.startsWith(PROMPT)).length;
