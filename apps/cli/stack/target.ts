import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { ChangesAnswer, PreviewAnswer, type WireStack } from "#client/wire.ts";
import { parseJson } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import { type Declaration, declare, onHost } from "../declaration.ts";
import { badUsage, CommandFailed, EXIT_CHANGES } from "../failure.ts";
import { flag, off, option, WaitOptions } from "../options.ts";
import { terminalWidth } from "../print.ts";
import { writePrivateFile } from "../private-file.ts";
import type { Session } from "../session.ts";
import { withPlaces } from "../template/refused-template.ts";
import { fileUrl, readSource } from "../template/source-file.ts";
import {
  readNewTarget,
  readTarget,
  TemplateOptions,
  UpdateInputs,
} from "../template/template-options.ts";
import { makeStack, operate } from "./follow.ts";
import { additionLines, hasChanges, planText, previewLines } from "./preview-lines.ts";

const StackOptions = z.object({
  enableRollback: flag("--enable-rollback", "roll back to the last good state on failure"),
  timeout: option(
    "--timeout <minutes>",
    "when to give up",
    z.coerce
      .number({ error: "--timeout is a number of minutes" })
      .int("--timeout is a whole number of minutes")
      .positive("--timeout is at least one minute")
      .optional(),
  ),
  tags: option("--tags <a,b>", "tags of the stack", z.string().optional()),
  ...WaitOptions.shape,
});

const CreateOptions = z.object({
  ...TemplateOptions.shape,
  ...StackOptions.shape,
  dryRun: flag("--dry-run", "only show what the create would make"),
  disableRollback: off,
});

/** What of the stack an update gives anew. `stack diff` has the same. */
export const NewTarget = z.object({
  ...UpdateInputs.shape,
  existing: flag("--existing", "keep what is not named, also with a template"),
  clearParameter: option(
    "--clear-parameter <name>",
    "back to its default; may be repeated",
    z.array(z.string()).default([]),
  ),
});

const UpdateOptions = z.object({
  ...NewTarget.shape,
  ...StackOptions.shape,
  disableRollback: flag("--disable-rollback", "leave a failed update as it stands"),
  dryRun: flag("--dry-run", "only show what the update would change"),
  detailedExitcode: flag(
    "--detailed-exitcode",
    "of a dry run: 0 for no changes, 2 for changes, 1 for an error",
  ),
  out: option(
    "--out <plan>",
    "only show it, and write a plan for stack apply",
    z.string().optional(),
  ),
  full: flag("--full", "visit every resource, whether the update can reach it or not"),
  converge: flag("--converge", "also bring back what has changed outside of the stack"),
});

export const addTargetCommands = (stack: Command): void => declare(stack, create, update, apply);

const create: Declaration = {
  usage: "create <name>",
  summary: "make a stack from a template",
  examples: [
    "stack create web -t web.yaml -e prod.yaml -P size=3",
    "stack create web -t web.yaml -P key=@key.pem --dry-run",
  ],
  action: onHost(CreateOptions, async (session, options, name: string) => {
    const target = await readNewTarget(options);
    const body = {
      stack_name: name,
      disable_rollback: true,
      ...target.body,
      ...stackFields(options),
    };
    if (!options.dryRun) {
      const send = () => makeStack(session, { verb: "CREATE", wait: options.wait }, body);
      return withPlaces(session.client, target, send);
    }
    const path = "/stacks/preview?with_parents=true";
    const ask = () => session.client.request("POST", path, PreviewAnswer, body);
    const { stack } = await withPlaces(session.client, target, ask);
    session.print(stack, () => additionLines(stack, terminalWidth()));
  }),
};

const update: Declaration = {
  usage: "update <stack>",
  summary: "update a stack, even while another operation runs; without -t it keeps the rest",
  examples: ["stack update web -P size=4", "stack update web -t web.yaml -e prod.yaml --dry-run"],
  action: onHost(UpdateOptions, async (session, options, nameOrId: string) => {
    const { dryRun, out, detailedExitcode, full, wait, converge } = options;
    const target = await newTarget(session, options, nameOrId);
    const { stack } = target;
    const fields = { ...stackFields(options), ...(converge ? { converge: true } : {}) };
    const request = { ...target.request, body: { ...target.request.body, ...fields } };
    if (dryRun || out !== undefined) {
      const ask = () => preview(session, stack, request, options);
      return withPlaces(session.client, target, ask);
    }
    if (detailedExitcode) throw badUsage("--detailed-exitcode is for --dry-run and --out");
    const path = `${stackPath(stack)}${updateQuery({ full: full && "true" })}`;
    const send = () =>
      withPlaces(session.client, target, () =>
        session.client.request(request.method, path, z.unknown(), request.body),
      );
    await operate(session, stack, { verb: "UPDATE", wait }, send);
  }),
};

/** PATCH keeps what the body does not name, and PUT drops it. */
export const newTarget = async (
  { client }: Session,
  options: z.infer<typeof NewTarget>,
  nameOrId: string,
) => {
  const { inputs, body, stack } = await readTarget(options, () => client.findStack(nameOrId));
  const { template, ...kept } = body;
  const { clearParameter: cleared, existing } = options;
  const keeps = existing || template === null;
  if (cleared.length > 0 && !keeps) throw badUsage("--clear-parameter needs --existing with -t");
  const method = keeps ? ("PATCH" as const) : ("PUT" as const);
  const sent = {
    ...(template === null ? {} : { template }),
    ...kept,
    ...(cleared.length === 0 ? {} : { clear_parameters: cleared }),
  };
  return { inputs, body, stack, request: { method, body: sent } };
};

/** Options that were not given are not sent, so an update keeps their former values. */
const stackFields = ({
  enableRollback,
  disableRollback,
  timeout,
  tags,
}: Pick<
  z.infer<typeof UpdateOptions>,
  "enableRollback" | "disableRollback" | "timeout" | "tags"
>) => ({
  ...(enableRollback || disableRollback ? { disable_rollback: !enableRollback } : {}),
  ...(timeout === undefined ? {} : { timeout_mins: timeout }),
  ...(tags === undefined ? {} : { tags }),
});

/** Plans of the version 1 are for a PUT. */
const PlanFile = z.object({
  hearth_plan: z.literal([1, 2], { error: "it is not a plan of stack update --out" }),
  stack: z.object({ id: z.string(), stack_name: z.string() }),
  full: z.boolean(),
  basis: z.string(),
  method: z.enum(["PUT", "PATCH"]).default("PUT"),
  request: jsonObject,
});

export const updateQuery = (options: Readonly<Record<string, string | false>>): string => {
  const given = Object.entries(options).flatMap(([key, value]) =>
    value === false ? [] : [`${key}=${encodeURIComponent(value)}`],
  );
  return given.length === 0 ? "" : `?${given.join("&")}`;
};

type Request = Awaited<ReturnType<typeof newTarget>>["request"];

const preview = async (
  session: Session,
  stack: WireStack,
  { method, body }: Request,
  {
    full,
    converge,
    detailedExitcode,
    out,
  }: Pick<z.infer<typeof UpdateOptions>, "full" | "converge" | "detailedExitcode" | "out">,
): Promise<void> => {
  const path = `${stackPath(stack)}/preview${updateQuery({ full: full && "true" })}`;
  const answer = await session.client.request(method, path, ChangesAnswer, body);
  const { basis } = answer;
  if (out !== undefined) writePlan(out, { stack, full, basis, method, request: body });
  const note = full && !converge ? [DRIFT_IS_NOT_SEEN] : [];
  session.print(answer, () => [...previewLines(answer, terminalWidth()), ...note]);
  if (detailedExitcode && hasChanges(answer)) process.exitCode = EXIT_CHANGES;
};

const DRIFT_IS_NOT_SEEN =
  "Drift is not looked for: --converge mends it, and stack repair looks and asks first.";

interface Plan {
  readonly stack: WireStack;
  readonly full: boolean;
  readonly basis: string | undefined;
  readonly method: Request["method"];
  readonly request: Request["body"];
}

const writePlan = (file: string, { stack, basis, ...others }: Plan): void => {
  if (basis === undefined) throw new CommandFailed("This host is too old for plans.");
  const { id, stack_name } = stack;
  const plan = { hearth_plan: 2, stack: { id, stack_name }, basis, ...others };
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
  action: onHost(WaitOptions, async (session, { wait }, file: string) => {
    const { stack: planned, full, basis, method, request } = readPlan(file);
    const stack = await session.client.findStack(planned.id);
    const path = `${stackPath(stack)}${updateQuery({ full: full && "true", basis })}`;
    const send = () => session.client.request(method, path, z.unknown(), request);
    await operate(session, stack, { verb: "UPDATE", wait }, send);
  }),
};
