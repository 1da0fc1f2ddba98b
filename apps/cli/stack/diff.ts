import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { ChangesAnswer, type WireStack } from "#client/wire.ts";
import { mapOf, mergedMaps } from "#lib/json.ts";
import { jsonObject, recordOf } from "#lib/json-schema.ts";
import { badUsage, EXIT_CHANGES } from "../failure.ts";
import { terminalWidth } from "../print.ts";
import { openSession, readOptions, type Session } from "../session.ts";
import { addInputOptions, TemplateOptions, templateBody } from "../template/template-options.ts";
import { readPairs } from "./follow.ts";
import { hasChanges, previewLines } from "./preview-lines.ts";
import type { RequestedTarget, TargetText } from "./target-diff.ts";

const DiffOptions = TemplateOptions.partial({ template: true }).extend({
  detailedExitcode: z.boolean().default(false),
});

const ObjectAnswer = z.unknown().pipe(jsonObject);
const FilesAnswer = z.unknown().pipe(recordOf(z.string()));

export const addDiffCommand = (stack: Command): void => {
  addInputOptions(stack.command("diff <stack>").option("-t, --template <file>", "the template"))
    .summary("what differs between a stack and a template, or the stack with other parameters")
    .option("--detailed-exitcode", "0 for no difference, 2 for one, 1 for an error")
    .action(diff);
};

const diff = async (nameOrId: string, _options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const { detailedExitcode, ...options } = readOptions(DiffOptions, command);
  const { method, body } = await requestOf(options);
  const stack = await session.client.findStack(nameOrId);
  const preview = await session.client.request(
    method,
    `${stackPath(stack)}/preview`,
    ChangesAnswer,
    body,
  );
  const { patchLines, targetAfter, targetPatches } = await import("./target-diff.ts");
  const { default: colors } = await import("picocolors");
  const current = await currentTarget(session, stack);
  const patches = targetPatches(current, targetAfter(current, requested(body)));
  const isColored = process.stdout.isTTY && colors.isColorSupported;
  session.print(mergedMaps<unknown>({ patches }, preview), () => [
    ...patchLines(patches, colors.createColors(isColored)),
    ...previewLines(preview, terminalWidth()),
  ]);
  const isDifferent = patches.length > 0 || hasChanges(preview);
  if (detailedExitcode && isDifferent) process.exitCode = EXIT_CHANGES;
};

type Body = Partial<Awaited<ReturnType<typeof templateBody>>>;

/** Without a template the request is a PATCH, which changes only the parameters that it names. */
const requestOf = async ({
  template,
  ...inputs
}: Omit<z.infer<typeof DiffOptions>, "detailedExitcode">): Promise<{
  readonly method: "PUT" | "PATCH";
  readonly body: Body;
}> => {
  if (template !== undefined) {
    return { method: "PUT", body: await templateBody({ template, ...inputs }) };
  }
  const { environment, stubs, inventory, parameter } = inputs;
  if (environment.length > 0 || stubs || inventory !== undefined) {
    throw badUsage("-e, --stubs and --inventory need a template: -t FILE");
  }
  return { method: "PATCH", body: { parameters: readPairs("--parameter", parameter) } };
};

/** The engine stores the values of environment files and not the files, so these are left out. */
const requested = (body: Body): RequestedTarget => {
  const { template, environment = {}, files = {}, parameters = {} } = body;
  const names = new Set(body.environment_files);
  const kept = Object.entries(files).filter(([name]) => !names.has(name));
  return {
    ...(template === undefined ? {} : { template }),
    environment,
    files: mapOf(kept),
    parameters,
  };
};

const currentTarget = async ({ client }: Session, stack: WireStack): Promise<TargetText> => {
  const path = stackPath(stack);
  const [template, environment, files] = await Promise.all([
    client.request("GET", `${path}/template`, ObjectAnswer),
    client.request("GET", `${path}/environment`, ObjectAnswer),
    client.request("GET", `${path}/files`, FilesAnswer),
  ]);
  return { template, environment, files };
};
