/** hearth demo: the first stack, with nothing prepared. */
import type { Command } from "commander";
import { GlobalOptions, readOptions } from "../session.ts";

export const addDemoCommand = (program: Command): void => {
  program.command("demo").action(demo);
};

const demo = async (_options: unknown, command: Command): Promise<void> => {
  const { json } = readOptions(GlobalOptions, command);
  // The log's lines would be between the lines of the stack. The host's modules read this once.
  process.env["HEARTH_LOG"] ??= "off";
  const { showFirstStack } = await import("../demo/first-stack.ts");
  await showFirstStack(json);
};
