/** The commands of a page's shell blocks that show no output. */
import type { Block } from "./document-blocks.ts";

const SHELLS: readonly string[] = ["sh", ""];
/** A block with commands and their output. */
const WITH_OUTPUT = "console";
const PROMPT = "$ ";

/** A line that begins with a space goes on with the command above it. */
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

/** All commands, with or without their output. */
export const commandCount = (blocks: readonly Block[]): number =>
  commandsWithoutOutput(blocks).length +
  blocks
    .filter(({ language }) => language === WITH_OUTPUT)
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => line.startsWith(PROMPT)).length;
