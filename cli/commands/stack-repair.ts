/** stack repair: look, show, ask, repair. */
import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { pause } from "#client/pause.ts";
import { lastEventId } from "#client/wait.ts";
import { ChangesAnswer, type WireStack } from "#client/wire.ts";
import { CommandFailed } from "../failure.ts";
import { operate, waitForEnd } from "../follow.ts";
import { hasChanges, previewLines } from "../preview-lines.ts";
import { terminalWidth } from "../print.ts";
import { confirm } from "../question.ts";
import { openSession, readOptions, type Session } from "../session.ts";
import { addWaitOptions } from "../wait-options.ts";
import { updateQuery } from "./stack-plan.ts";

const RepairOptions = z.object({ wait: z.boolean(), yes: z.boolean().default(false) });

export const addRepairCommand = (stack: Command): void => {
  addWaitOptions(stack.command("repair <stack>"))
    .summary("check a stack, show what has drifted, ask, and bring it back")
    .option("-y, --yes", "do not ask")
    .action(repair);
};

/** A check that has found something is a good end here. */
const look = async (session: Session, stack: WireStack): Promise<void> => {
  const marker = await lastEventId(session.client, stack, pause);
  const check = { check: null };
  await session.client.request("POST", `${stackPath(stack)}/actions`, z.unknown(), check);
  const goodEnds = ["CHECK_COMPLETE", "CHECK_FAILED"];
  await waitForEnd(session, { stack, verb: "CHECK", marker, goodEnds });
};

const repair = async (nameOrId: string, _options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const { wait, yes } = readOptions(RepairOptions, command);
  const stack = await session.client.findStack(nameOrId);
  await look(session, stack);
  const path = stackPath(stack);
  const found = await session.client.request("PATCH", `${path}/preview`, ChangesAnswer, {});
  if (!hasChanges(found)) return session.print(found, () => ["No resource has drifted."]);
  if (!session.json) session.print(found, () => previewLines(found, terminalWidth()));
  if (!yes) await askToRepair(stack);
  const query = updateQuery({ basis: found.basis ?? false });
  const update = () => session.client.request("PATCH", `${path}${query}`, z.unknown(), {});
  // As JSON, what is done and how it ended are one document.
  const { resource_changes } = found;
  const report = async () => ({ document: { resource_changes }, lines: [] });
  await operate(session, stack, { verb: "UPDATE", wait }, update, report);
};

const askToRepair = async ({ stack_name: name }: WireStack): Promise<void> => {
  const isWanted = await confirm(`Repair ${name} so? [y/N] `);
  if (!isWanted) throw new CommandFailed("Nothing was repaired.");
};
