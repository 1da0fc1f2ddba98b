import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { badUsage } from "../failure.ts";
import { makeStack, operate } from "../follow.ts";
import { openSession, readOptions } from "../session.ts";
import { addTemplateOptions, TemplateOptions, templateBody } from "../template-options.ts";
import { addWaitOptions } from "../wait-options.ts";
import { preview } from "./stack-plan.ts";

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
