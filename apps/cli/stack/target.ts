import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { ChangesAnswer, type WireStack } from "#client/wire.ts";
import { parseJson } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import { badUsage, CommandFailed, EXIT_CHANGES } from "../failure.ts";
import { addWaitOptions } from "../options.ts";
import { terminalWidth } from "../print.ts";
import { writePrivateFile } from "../private-file.ts";
import { openSession, readOptions, type Session } from "../session.ts";
import { fileUrl, readSource } from "../template/source-file.ts";
import { addTemplateOptions, TemplateOptions, templateBody } from "../template/template-options.ts";
import { makeStack, operate } from "./follow.ts";
import { hasChanges, planText, previewLines } from "./preview-lines.ts";

const TargetOptions = TemplateOptions.extend({
  enableRollback: z.boolean().optional(),
  disableRollback: z.boolean().optional(),
  timeout: z.coerce
    .number({ error: "--timeout is a number of minutes" })
    .int("--timeout is a whole number of minutes")
    .positive("--timeout is at least one minute")
    .optional(),
  tags: z.string().optional(),
  wait: z.boolean(),
  dryRun: z.boolean().default(false),
  full: z.boolean().default(false),
  converge: z.boolean().default(false),
  detailedExitcode: z.boolean().default(false),
  out: z.string().optional(),
});

export const addTargetCommands = (stack: Command): void => {
  targetOptions(stack.command("create <name>"))
    .summary("make a stack from a template")
    .action(create);
  targetOptions(stack.command("update <stack>"))
    .summary("update a stack, even while another operation runs")
    .option("--disable-rollback", "leave a failed update as it stands")
    .option("--dry-run", "only show what the update would change")
    .option("--detailed-exitcode", "of a dry run: 0 for no changes, 2 for changes, 1 for an error")
    .option("--out <plan>", "only show it, and write a plan for stack apply")
    .option("--full", "visit every resource, whether the update can reach it or not")
    .option("--converge", "also bring back what has changed outside of the stack")
    .action(update);
};

const targetOptions = (command: Command): Command =>
  addWaitOptions(
    addTemplateOptions(command)
      .option("--enable-rollback", "roll back to the last good state on failure")
      .option("--timeout <minutes>", "when to give up")
      .option("--tags <a,b>", "tags of the stack"),
  );

const create = async (name: string, _options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const options = readOptions(TargetOptions, command);
  const body = { stack_name: name, disable_rollback: true, ...(await requestBody(options)) };
  await makeStack(session, { verb: "CREATE", wait: options.wait }, body);
};

const update = async (nameOrId: string, _options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const options = readOptions(TargetOptions, command);
  const body = await requestBody(options);
  const stack = await session.client.findStack(nameOrId);
  const { dryRun, out, detailedExitcode } = options;
  if (dryRun || out !== undefined) return preview(session, stack, body, options);
  if (detailedExitcode) throw badUsage("--detailed-exitcode is for --dry-run and --out");
  await operate(session, stack, { verb: "UPDATE", wait: options.wait }, () =>
    session.client.request(
      "PUT",
      `${stackPath(stack)}${options.full ? "?full=true" : ""}`,
      z.unknown(),
      body,
    ),
  );
};

/** Options that were not given are not sent, so an update keeps their former values. */
const requestBody = async (options: z.infer<typeof TargetOptions>): Promise<object> => {
  const { enableRollback, disableRollback, timeout, tags, converge } = options;
  const rollback =
    enableRollback === true || disableRollback === true
      ? { disable_rollback: enableRollback !== true }
      : {};
  return {
    ...(await templateBody(options)),
    ...rollback,
    ...(converge ? { converge: true } : {}),
    ...(timeout === undefined ? {} : { timeout_mins: timeout }),
    ...(tags === undefined ? {} : { tags }),
  };
};

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
