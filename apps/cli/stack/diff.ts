import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { ChangesAnswer, type WireStack } from "#client/wire.ts";
import { mapOf, mergedMaps } from "#lib/json.ts";
import { jsonObject, recordOf } from "#lib/json-schema.ts";
import { type Declaration, declare, onHost } from "../declaration.ts";
import { badUsage, EXIT_CHANGES } from "../failure.ts";
import { flag, readPairs } from "../options.ts";
import { terminalWidth } from "../print.ts";
import type { Session } from "../session.ts";
import { addInputOptions, TemplateOptions, templateBody } from "../template/template-options.ts";

import { hasChanges, previewLines } from "./preview-lines.ts";
import type { RequestedTarget, TargetText } from "./target-diff.ts";

const DiffOptions = TemplateOptions.partial({ template: true }).extend({
  detailedExitcode: flag,
});

const ObjectAnswer = z.unknown().pipe(jsonObject);
const FilesAnswer = z.unknown().pipe(recordOf(z.string()));

export const addDiffCommand = (stack: Command): void => declare(stack, diff);

const diff: Declaration = {
  usage: "diff <stack>",
  summary: "what differs between a stack and a template, or the stack with other parameters",
  options: (command) =>
    addInputOptions(command.option("-t, --template <file>", "the template")).option(
      "--detailed-exitcode",
      "0 for no difference, 2 for one, 1 for an error",
    ),
  action: onHost(DiffOptions, async (session, options, nameOrId: string) => {
    const { detailedExitcode, ...inputs } = options;
    const { method, body } = await requestOf(inputs);
    const stack = await session.client.findStack(nameOrId);
    const path = `${stackPath(stack)}/preview`;
    const preview = await session.client.request(method, path, ChangesAnswer, body);
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
  }),
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
