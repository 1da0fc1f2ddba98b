/** doctor: checks a deployment of Hearth, and prints a line for each check. */
import type { Command } from "commander";
import { examine } from "../doctor/examine.ts";
import { findingLine } from "../doctor/finding.ts";
import { CommandFailed } from "../failure.ts";
import { GlobalOptions, printer, readOptions, refusePlainHttp } from "../session.ts";

export const addDoctorCommand = (program: Command): void => {
  program.command("doctor").action(doctor);
};

/** Throws CommandFailed (exit code 1) when a check is wrong; a warning is not enough. */
const doctor = async (_options: unknown, command: Command): Promise<void> => {
  const { json, plainHttp, ...patient } = readOptions(GlobalOptions, command);
  refusePlainHttp({ ...patient, plainHttp });
  const findings = await examine(patient);
  printer(json)({ findings }, () => findings.map(findingLine));
  const wrong = findings.filter(({ verdict }) => verdict === "wrong");
  if (wrong.length === 0) return;
  throw new CommandFailed(`Something is wrong: ${wrong.map(({ check }) => check).join(", ")}.`);
};
