import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { NESTED_LEVELS_MAX } from "#client/nested-paths.ts";
import { pause } from "#client/pause.ts";
import { lastEventId } from "#client/wait.ts";
import { ChangesAnswer, type WireChanges, type WireStack } from "#client/wire.ts";
import { mapOf } from "#lib/json.ts";
import { type Declaration, declare, onStack } from "../declaration.ts";
import { CommandFailed } from "../failure.ts";
import { WaitOptions, yes } from "../options.ts";
import { oneLine, terminalWidth } from "../print.ts";
import { confirm } from "../question.ts";
import type { Session } from "../session.ts";
import { deletedLines, reportOf } from "./drift.ts";
import { operate, showEnd, waitForEnd } from "./follow.ts";
import { hasChanges, previewLines } from "./preview-lines.ts";
import { updateQuery } from "./target.ts";

export const addRepairCommand = (stack: Command): void => declare(stack, repair);

interface Found {
  readonly changes: WireChanges;
  readonly drifted: readonly string[];
  readonly deleted: readonly string[];
  /** The check has skipped resources that depend on a drifted one. */
  readonly isPartial: boolean;
}

/** A CHECK that finds drift ends FAILED, which is a good end here. */
const look = async (session: Session, stack: WireStack): Promise<Found> => {
  const { client } = session;
  const marker = await lastEventId(client, stack, pause);
  const path = stackPath(stack);
  await client.request("POST", `${path}/actions`, z.unknown(), { check: null });
  const goodEnds = ["CHECK_COMPLETE", "CHECK_FAILED"];
  await waitForEnd(session, { stack, verb: "CHECK", marker, goodEnds });
  const rows = await client.resources(stack, { nestedDepth: NESTED_LEVELS_MAX });
  const changes = await client.request("PATCH", `${path}/preview`, ChangesAnswer, {});
  const { document, drifted } = reportOf(stack, rows);
  const deleted = await deletedLines(client, stack, rows);
  return { changes, drifted, deleted, isPartial: document.unchecked.length > 0 };
};

type Changes = WireChanges["resource_changes"];

const joined = (one: Changes, other: Changes): Changes =>
  mapOf(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((kind) => [
      kind,
      [...(one[kind] ?? []), ...(other[kind] ?? [])],
    ]),
  );

const repair: Declaration = {
  usage: "repair <stack>",
  summary: "check a stack, show what has drifted, ask, and bring it back",
  action: onStack(WaitOptions.extend({ yes }), (session, stack, options) =>
    repairInRounds(session, stack, options),
  ),
};

const repairInRounds = async (
  session: Session,
  stack: WireStack,
  { wait, yes }: { readonly wait: boolean; readonly yes: boolean },
): Promise<void> => {
  let done: Changes = {};
  // With --json the changes and the end are one document.
  const report = async () => ({ document: { resource_changes: done }, lines: [] });
  const repaired = new Set<string>();
  // Each round checks the resources that depend on what the previous round has repaired.
  for (let round = 1; ; round += 1) {
    const { changes: found, drifted, deleted, isPartial } = await look(session, stack);
    const again = drifted.filter((path) => repaired.has(path));
    if (again.length > 0 && again.length === drifted.length) throw notRepaired(stack, again);
    for (const path of drifted) repaired.add(path);
    if (!hasChanges(found)) {
      if (round > 1) return showEnd(session, stack, report);
      return session.print(found, () => ["No resource has drifted."]);
    }
    if (!session.json)
      session.print(found, () => [...previewLines(found, terminalWidth()), ...deleted]);
    if (!yes) await askToRepair(stack);
    const query = updateQuery({ basis: found.basis ?? false });
    const update = () =>
      session.client.request("PATCH", `${stackPath(stack)}${query}`, z.unknown(), {});
    done = round === 1 ? found.resource_changes : joined(done, found.resource_changes);
    const isLast = !isPartial && again.length === 0;
    if (!wait || isLast) {
      return operate(session, stack, { verb: "UPDATE", wait }, update, report);
    }
    const marker = await lastEventId(session.client, stack, pause);
    await update();
    await waitForEnd(session, { stack, verb: "UPDATE", marker, goodEnds: ["UPDATE_COMPLETE"] });
  }
};

const notRepaired = ({ stack_name: name }: WireStack, again: readonly string[]): CommandFailed =>
  new CommandFailed(
    `The update did not bring these back: ${again.map(oneLine).join(", ")}. "hearth stack check ${oneLine(name)}" says why.`,
  );

const askToRepair = async ({ stack_name: name }: WireStack): Promise<void> => {
  const isWanted = await confirm(`Repair ${name} so? [y/N] `);
  if (!isWanted) throw new CommandFailed("Nothing was repaired.");
};
