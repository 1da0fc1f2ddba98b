import type { Command } from "commander";
import { z } from "zod";
import { readAuthority } from "../certificate-authority.ts";
import { examine, thisMachine } from "../doctor/examine.ts";
import { findingLine } from "../doctor/finding.ts";
import { CommandFailed } from "../failure.ts";
import { GlobalOptions, printer, readOptions, refusePlainHttp } from "../session.ts";

const DoctorOptions = GlobalOptions.extend({
  caFile: z.string().optional(),
  objects: z.boolean().optional(),
});

export const addDoctorCommand = (program: Command): void => {
  program
    .command("doctor")
    .option("--objects", "ask the providers for what carries Hearth's mark and no stack has")
    .action(doctor);
};

/** @throws CommandFailed (exit code 1) when a check is wrong. A warning does not count. */
const doctor = async (_options: unknown, command: Command): Promise<void> => {
  const { json, plainHttp, caFile, objects, ...patient } = readOptions(DoctorOptions, command);
  refusePlainHttp({ ...patient, plainHttp });
  const authority = caFile ? readAuthority(caFile) : undefined;
  const findings = await examine(patient, { ...thisMachine, authority }, { objects });
  printer(json)({ findings }, () => findings.map(findingLine));
  const wrong = findings.filter(({ verdict }) => verdict === "wrong");
  if (wrong.length === 0) return;
  throw new CommandFailed(`Something is wrong: ${wrong.map(({ check }) => check).join(", ")}.`);
};
