/** Environment variables that are set but empty count as unset, as in `HEARTH_TOKEN= hearth …`. */
import type { Command } from "commander";

/**
 * Gives the options of `program` whose variables are empty their defaults back. An empty option on
 * the command line stays, because it is a mistake that the user should hear of.
 */
export const forgetEmptyVariables = (program: Command): void => {
  for (const option of program.options) {
    const key = option.attributeName();
    if (program.getOptionValueSource(key) !== "env" || program.getOptionValue(key) !== "") continue;
    program.setOptionValueWithSource(key, option.defaultValue, "default");
  }
};

/** The variable HEARTH_LOG, or undefined if it is not set or empty. */
export const chosenLogLevel = (): string | undefined => process.env["HEARTH_LOG"] || undefined;

/**
 * Keeps the log of a host in this process from mixing with the output of the command, unless the
 * user has chosen a level. A command calls it before it loads the host.
 */
export const keepLogQuiet = (): void => {
  process.env["HEARTH_LOG"] = chosenLogLevel() ?? "off";
};
