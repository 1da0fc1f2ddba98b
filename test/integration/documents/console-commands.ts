/** The commands of a `console` block. Each begins with a dollar sign, and its output follows. */
import type { Block } from "./document-blocks.ts";

export interface Command {
  readonly text: string;
  readonly printed: string;
}

const PROMPT = "$ ";

export const commandsOf = ({ text, line }: Block, drawing: Block | null): readonly Command[] => {
  const commands: { text: string; lines: string[] }[] = [];
  for (const content of text.split("\n")) {
    const last = commands.at(-1);
    if (content.startsWith(PROMPT)) {
      commands.push({ text: content.slice(PROMPT.length), lines: [] });
    } else if (last !== undefined) last.lines.push(content);
    else throw new Error(`line ${line}: the block does not begin with a command`);
  }
  if (drawing !== null) commands.at(-1)?.lines.push(drawing.text);
  return commands.map((one) => ({ text: one.text, printed: one.lines.join("\n") }));
};
