import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { ChangesAnswer, type WireStack } from "#client/wire.ts";
import { mapOf, mergedMaps } from "#lib/json.ts";
import { jsonObject, recordOf } from "#lib/json-schema.ts";
import { type Declaration, declare, onHost } from "../declaration.ts";
import { EXIT_CHANGES } from "../failure.ts";
import { flag } from "../options.ts";
import { terminalWidth } from "../print.ts";
import type { Session } from "../session.ts";
import { withPlaces } from "../template/refused-template.ts";
import { hasChanges, previewLines } from "./preview-lines.ts";
import { NewTarget, newTarget } from "./target.ts";
import type { RequestedTarget, TargetText } from "./target-diff.ts";

const DiffOptions = NewTarget.extend({
  detailedExitcode: flag("--detailed-exitcode", "0 for no difference, 2 for one, 1 for an error"),
});

const ObjectAnswer = z.unknown().pipe(jsonObject);
const FilesAnswer = z.unknown().pipe(recordOf(z.string()));

export const addDiffCommand = (stack: Command): void => declare(stack, diff);

const diff: Declaration = {
  usage: "diff <stack>",
  summary: "what differs between a stack and a template, or the stack with other parameters",
  action: onHost(DiffOptions, async (session, options, nameOrId: string) => {
    const { detailedExitcode } = options;
    const target = await newTarget(session, options, nameOrId);
    const { stack } = target;
    const { method, body } = target.request;
    const path = `${stackPath(stack)}/preview`;
    const ask = () => session.client.request(method, path, ChangesAnswer, body);
    const preview = await withPlaces(session.client, target, ask);
    const { patchLines, targetAfter, targetPatches } = await import("./target-diff.ts");
    const { default: colors } = await import("picocolors");
    const current = await currentTarget(session, stack);
    const patches = targetPatches(current, targetAfter(current, requested(target.request)));
    const isColored = process.stdout.isTTY && colors.isColorSupported;
    session.print(mergedMaps<unknown>({ patches }, preview), () => [
      ...patchLines(patches, colors.createColors(isColored)),
      ...previewLines(preview, terminalWidth()),
    ]);
    const isDifferent = patches.length > 0 || hasChanges(preview);
    if (detailedExitcode && isDifferent) process.exitCode = EXIT_CHANGES;
  }),
};

/** The engine stores the values of environment files and not the files, so these are left out. */
const requested = ({
  method,
  body: { environment_files, files, ...given },
}: Awaited<ReturnType<typeof newTarget>>["request"]): RequestedTarget => {
  const names = new Set(environment_files);
  const kept = Object.entries(files).filter(([name]) => !names.has(name));
  return { ...given, files: mapOf(kept), keeps: method === "PATCH" };
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
