import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { ChangesAnswer, type WireStack } from "#client/wire.ts";
import { parseJson } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import { type Declaration, declare, onHost } from "../declaration.ts";
import { badUsage, CommandFailed, EXIT_CHANGES } from "../failure.ts";
import { addWaitOptions, flag } from "../options.ts";
import { terminalWidth } from "../print.ts";
import { writePrivateFile } from "../private-file.ts";
import type { Session } from "../session.ts";
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
  dryRun: flag,
  full: flag,
  converge: flag,
  detailedExitcode: flag,
  out: z.string().optional(),
});

export const addTargetCommands = (stack: Command): void => declare(stack, create, update, apply);

const targetOptions = (command: Command): Command =>
  addWaitOptions(
    addTemplateOptions(command)
      .option("--enable-rollback", "roll back to the last good state on failure")
      .option("--timeout <minutes>", "when to give up")
      .option("--tags <a,b>", "tags of the stack"),
  );

const create: Declaration = {
  usage: "create <name>",
  summary: "make a stack from a template",
  options: targetOptions,
  action: onHost(TargetOptions, async (session, options, name: string) => {
    const body = { stack_name: name, disable_rollback: true, ...(await requestBody(options)) };
    await makeStack(session, { verb: "CREATE", wait: options.wait }, body);
  }),
};

const update: Declaration = {
  usage: "update <stack>",
  summary: "update a stack, even while another operation runs",
  options: (command) =>
    targetOptions(command)
      .option("--disable-rollback", "leave a failed update as it stands")
      .option("--dry-run", "only show what the update would change")
      .option(
        "--detailed-exitcode",
        "of a dry run: 0 for no changes, 2 for changes, 1 for an error",
      )
      .option("--out <plan>", "only show it, and write a plan for stack apply")
      .option("--full", "visit every resource, whether the update can reach it or not")
      .option("--converge", "also bring back what has changed outside of the stack"),
  action: onHost(TargetOptions, async (session, options, nameOrId: string) => {
    const body = await requestBody(options);
    const stack = await session.client.findStack(nameOrId);
    const { dryRun, out, detailedExitcode, full, wait } = options;
    if (dryRun || out !== undefined) return preview(session, stack, body, options);
    if (detailedExitcode) throw badUsage("--detailed-exitcode is for --dry-run and --out");
    const path = `${stackPath(stack)}${updateQuery({ full: full && "true" })}`;
    const send = () => session.client.request("PUT", path, z.unknown(), body);
    await operate(session, stack, { verb: "UPDATE", wait }, send);
  }),
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

export const updateQuery = (options: Readonly<Record<string, string | false>>): string => {
  const given = Object.entries(options).flatMap(([key, value]) =>
    value === false ? [] : [`${key}=${encodeURIComponent(value)}`],
  );
  return given.length === 0 ? "" : `?${given.join("&")}`;
};

const preview = async (
  session: Session,
  stack: WireStack,
  body: object,
  {
    full,
    detailedExitcode,
    out,
  }: Pick<z.infer<typeof TargetOptions>, "full" | "detailedExitcode" | "out">,
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

const apply: Declaration = {
  usage: "apply <plan>",
  summary: "make the update that stack update --out has planned, if the stack has not moved",
  options: addWaitOptions,
  action: onHost(z.object({ wait: z.boolean() }), async (session, { wait }, file: string) => {
    const { stack: planned, full, basis, request } = readPlan(file);
    const stack = await session.client.findStack(planned.id);
    const path = `${stackPath(stack)}${updateQuery({ full: full && "true", basis })}`;
    const send = () => session.client.request("PUT", path, z.unknown(), request);
    await operate(session, stack, { verb: "UPDATE", wait }, send);
  }),
};
