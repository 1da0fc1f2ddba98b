/**
 * `resource retry` updates the stack to its own target, which tries all failed resources again. The
 * command shows the update first, because other resources may have failed too.
 */
import { z } from "zod";
import { pathIn, stackPath } from "#client/client.ts";
import {
  ChangesAnswer,
  ResourceShape,
  type WireChangedResource,
  type WireChanges,
  type WireStack,
} from "#client/wire.ts";
import { CommandFailed } from "../failure.ts";
import { oneLine, terminalWidth, writeLines } from "../print.ts";
import type { Session } from "../session.ts";
import { withDependents } from "./drift.ts";
import { operate } from "./follow.ts";
import { changedKinds, previewLines } from "./preview-lines.ts";
import { updateQuery } from "./target.ts";

const ResourceAnswer = z.looseObject({ resource: ResourceShape });

interface Options {
  readonly wait: boolean;
  readonly dryRun: boolean;
}

/** @throws CommandFailed, and changes nothing, when the resource has not failed. */
export const retryResource = async (
  session: Session,
  stack: WireStack,
  name: string,
  { wait, dryRun }: Options,
): Promise<void> => {
  const { client } = session;
  const answer = await client.request("GET", pathIn(stack, name), ResourceAnswer);
  const { resource } = answer;
  refuseUnlessFailed(stack, resource);
  const preview = await client.request("PATCH", `${stackPath(stack)}/preview`, ChangesAnswer, {});
  const lines = [
    ...headLines(preview, resource.resource_name),
    ...previewLines(preview, terminalWidth()),
  ];
  if (dryRun) return session.print(preview, () => lines);
  if (!session.json) writeLines(lines);
  const path = `${stackPath(stack)}${updateQuery({ basis: preview.basis ?? false })}`;
  const send = () => client.request("PATCH", path, z.unknown(), {});
  await operate(session, stack, { verb: "UPDATE", wait }, send);
};

const refuseUnlessFailed = (
  { stack_name: stack }: WireStack,
  {
    resource_name: name,
    resource_status: status,
    resource_status_reason: reason,
  }: z.infer<typeof ResourceShape>,
): void => {
  if (!status.endsWith("_FAILED")) {
    const advice = status.startsWith("INIT")
      ? `"hearth stack diagnose ${stack}" says what it waits for.`
      : `"hearth stack mark-unhealthy ${stack} ${name}" lets an update replace it.`;
    throw new CommandFailed(`${name} of ${stack} has not failed: it is ${status}. ${advice}`);
  }
  // No update touches the resource before a user has answered.
  if (reason?.includes("stack resource resolve")) {
    throw new CommandFailed(`${name} of ${stack} cannot be tried again yet: ${reason}`);
  }
};

const headLines = ({ resource_changes }: WireChanges, name: string): string[] => {
  const changed = changedKinds(resource_changes).flatMap(([, resources]) => resources);
  const above = dependents(Object.values(resource_changes).flat(), name);
  const others = changed.filter(({ resource_name }) => !above.has(resource_name));
  const names = others.map(({ resource_name }) => oneLine(resource_name)).join(", ");
  return [
    `An update of the stack as it is tries ${oneLine(name)} again.`,
    ...(names === "" ? [] : [`It changes also what does not depend on that: ${names}.`]),
  ];
};

const dependents = (
  resources: readonly WireChangedResource[],
  name: string,
): ReadonlySet<string> => {
  const directly = new Map(
    resources.map(({ resource_name, required_by }) => [resource_name, required_by ?? []]),
  );
  return withDependents([name], directly);
};
