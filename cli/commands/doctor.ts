/** doctor: what is wrong with a deployment, a line for each check. */
import type { Command } from "commander";
import { examine } from "../doctor/examine.ts";
import { findingLine } from "../doctor/finding.ts";
import { CommandFailed } from "../failure.ts";
import { GlobalOptions, printer, readOptions } from "../session.ts";

export const addDoctorCommand = (program: Command): void => {
  program
    .command("doctor")
    .summary("find out what is wrong with a deployment")
    .action((_options: unknown, command: Command) => doctor(command));
};

/** Throws CommandFailed, which is exit code 1, when something is wrong; a warning is no reason. */
const doctor = async (command: Command): Promise<void> => {
  const { json, ...patient } = readOptions(GlobalOptions, command);
  const findings = await examine(patient);
  printer(json)({ findings }, () => findings.map(findingLine));
  const wrong = findings.filter(({ verdict }) => verdict === "wrong");
  if (wrong.length === 0) return;
  throw new CommandFailed(`Something is wrong: ${wrong.map(({ check }) => check).join(", ")}.`);
};
