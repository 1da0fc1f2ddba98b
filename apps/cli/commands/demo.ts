import type { Command } from "commander";
import { keepLogQuiet } from "../empty-variables.ts";
import { GlobalOptions, readOptions } from "../session.ts";

export const addDemoCommand = (program: Command): void => {
  program.command("demo").action(demo);
};

const demo = async (_options: unknown, command: Command): Promise<void> => {
  const { json } = readOptions(GlobalOptions, command);
  keepLogQuiet();
  const { showFirstStack } = await import("../demo/first-stack.ts");
  await showFirstStack(json);
};
