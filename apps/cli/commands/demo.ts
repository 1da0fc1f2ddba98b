import type { Command } from "commander";
import { GlobalOptions, readOptions } from "../session.ts";

export const addDemoCommand = (program: Command): void => {
  program.command("demo").action(demo);
};

const demo = async (_options: unknown, command: Command): Promise<void> => {
  const { json } = readOptions(GlobalOptions, command);
  // Lines of the log would mix with those of the stack. The host's modules read the variable once.
  process.env["HEARTH_LOG"] ??= "off";
  const { showFirstStack } = await import("../demo/first-stack.ts");
  await showFirstStack(json);
};
