import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { ChangesAnswer, type WireStack } from "#client/wire.ts";
import { parseJson } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import { CommandFailed, EXIT_CHANGES } from "../failure.ts";
import { operate } from "../follow.ts";
import { hasChanges, planText, previewLines } from "../preview-lines.ts";
import { terminalWidth } from "../print.ts";
import { writePrivateFile } from "../private-file.ts";
import { openSession, readOptions, type Session } from "../session.ts";
import { fileUrl, readSource } from "../source-file.ts";
import { addWaitOptions } from "../wait-options.ts";

const PlanFile = z.object({
  hearth_plan: z.literal(1, { error: "it is not a plan of stack update --out" }),
  stack: z.object({ id: z.string(), stack_name: z.string() }),
  full: z.boolean(),
  basis: z.string(),
  request: jsonObject,
});

export interface PreviewOptions {
  readonly full: boolean;
  readonly detailedExitcode: boolean;
  readonly out?: string | undefined;
}

export const addPlanCommands = (stack: Command): void => {
  addWaitOptions(stack.command("apply <plan>"))
    .summary("make the update that stack update --out has planned, if the stack has not moved")
    .action(apply);
};

export const updateQuery = (options: Readonly<Record<string, string | false>>): string => {
  const given = Object.entries(options).flatMap(([key, value]) =>
    value === false ? [] : [`${key}=${encodeURIComponent(value)}`],
  );
  return given.length === 0 ? "" : `?${given.join("&")}`;
};

export const preview = async (
  session: Session,
  stack: WireStack,
  body: object,
  { full, detailedExitcode, out }: PreviewOptions,
): Promise<void> => {
  const path = `${stackPath(stack)}/preview${updateQuery({ full: full && "true" })}`;
  const answer = await session.client.request("PUT", path, ChangesAnswer, body);
  if (out !== undefined) writePlan(out, stack, full, answer.basis, body);
  const note = full && !("converge" in body) ? [DRIFT_IS_NOT_SEEN] : [];
  session.print(answer, () => [...previewLines(answer, terminalWidth()), ...note]);
  if (detailedExitcode && hasChanges(answer)) process.exitCode = EXIT_CHANGES;
};

const DRIFT_IS_NOT_SEEN =
  "Drift is not looked for: --converge mends it, and stack repair looks and asks first.";

const writePlan = (
  file: string,
  { id, stack_name }: WireStack,
  full: boolean,
  basis: string | undefined,
  request: object,
): void => {
  if (basis === undefined) throw new CommandFailed("This host is too old for plans.");
  const plan = { hearth_plan: 1, stack: { id, stack_name }, full, basis, request };
  writePrivateFile(file, planText(plan));
};

const readPlan = (file: string): z.infer<typeof PlanFile> => {
  const { text } = readSource(fileUrl(file), file);
  try {
    return PlanFile.parse(parseJson(text));
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof SyntaxError)) throw error;
    throw new CommandFailed(`${file}: it is not a plan of stack update --out`);
  }
};

const apply = async (file: string, _options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const { wait } = readOptions(z.object({ wait: z.boolean() }), command);
  const { stack: planned, full, basis, request } = readPlan(file);
  const stack = await session.client.findStack(planned.id);
  await operate(session, stack, { verb: "UPDATE", wait }, () =>
    session.client.request(
      "PUT",
      `${stackPath(stack)}${updateQuery({ full: full && "true", basis })}`,
      z.unknown(),
      request,
    ),
  );
};
