/**
 * Hooks (ADR 8). A node claims nothing before a user clears its pre-hook, and propagates nothing
 * before a user clears its post-hook. A hook is only a mark on the row, which other traversals
 * ignore, so it does not block a newer one.
 */
import type { Hook, Pause, Resource, TraversalNode } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { convergesTo, isStale } from "#lib/stack/stack-predicates.ts";
import { hooksOf } from "#lib/template/environment/resource-hooks.ts";
import { asRead, writeUnlocked } from "./claim.ts";
import { visitOfOwner } from "./messages.ts";
import type { Visit, VisitResult } from "./visit.ts";

const pauseOf = (row: Pick<Resource, "pause"> | null, node: TraversalNode): Pause | null => {
  const pause = row?.pause ?? null;
  const isOfNode = pause?.traversalId === node.traversalId && pause.isUpdate === node.isUpdate;
  return isOfNode ? pause : null;
};

/** The node waits for a user, so neither its message nor the sweeper has anything to do. */
export const isPaused = (row: Pick<Resource, "pause"> | null, node: TraversalNode): boolean =>
  pauseOf(row, node)?.cleared === false;

/** As in Heat: create hooks in a CREATE, delete hooks in a DELETE, update hooks at each update. */
const hookBefore = ({ index, message, row }: Visit): Hook | null => {
  const { action } = index.graph;
  const isThere = row !== null && row.action !== "INIT";
  if (!message.isUpdate) return action === "DELETE" && isThere ? "pre-delete" : null;
  if (action === "CREATE") return isThere ? null : "pre-create";
  return convergesTo(action) && isThere ? "pre-update" : null;
};

const hookAfter = ({ index, message, row }: Visit): Hook | null => {
  const { action } = index.graph;
  if (!message.isUpdate) return action === "DELETE" ? "post-delete" : null;
  if (action === "CREATE") return "post-create";
  return convergesTo(action) && row?.action === "UPDATE" ? "post-update" : null;
};

/**
 * The target's environment has the hooks. A DELETE uses that of the row's last success.
 * @returns the type of the resource if the node stops at this hook, and otherwise null.
 */
const typeStopping = async (ports: Ports, visit: Visit, hook: Hook): Promise<string | null> => {
  const { stack, row, node, index } = visit;
  const templateId = visit.message.isUpdate ? index.graph.templateId : row?.templateId;
  if (templateId == null) return null;
  const { source, template } = await loadTemplate(ports, stack.tenant, stack.id, templateId);
  if (!hooksOf(source.environment.resourceRegistry, node.name).has(hook)) return null;
  const type = row?.type || (template.resources.get(node.name)?.type ?? "");
  // A change of type replaces the resource, and replacements have no hook.
  const isReplaced = hook === "pre-update" && template.resources.get(node.name)?.type !== type;
  return isReplaced ? null : type;
};

/** @returns null when the node may go on. Otherwise its message can be acknowledged. */
export const waitAtHook = async (
  ports: Ports,
  visit: Visit,
  moment: "before" | "after",
): Promise<VisitResult | null> => {
  const hook = moment === "before" ? hookBefore(visit) : hookAfter(visit);
  if (hook === null) return null;
  const { traversalId, isUpdate } = visit.message;
  const pause = pauseOf(visit.row, visit.message);
  if (pause?.hook === hook) return pause.cleared ? null : { outcome: "paused" };
  const type = await typeStopping(ports, visit, hook);
  if (type === null) return null;
  const write = await writeUnlocked(ports, visit, {
    type,
    pause: { traversalId, isUpdate, hook, cleared: false },
    statusReason: pausedReason(hook),
    updatedAt: ports.clock.now(),
  });
  return { outcome: write.written ? "paused" : "moved" };
};

const pausedReason = (hook: Hook): string => {
  const [, action = ""] = hook.split("-");
  return `${action.toUpperCase()} paused until Hook ${hook} is cleared`;
};

export const passedHook = ({ message }: Visit, hook: Hook): Pause => {
  const { traversalId, isUpdate } = message;
  return { traversalId, isUpdate, hook, cleared: true };
};

export const waitsAtHook = (stack: Stack, row: Resource, hook: Hook): boolean =>
  row.pause?.hook === hook && !row.pause.cleared && !isStale(stack, row.pause);

/** @returns false when another writer has changed the row, so the caller must read it again. */
export const clearHook = async (ports: Ports, row: Resource, pause: Pause): Promise<boolean> => {
  const write = await ports.store.writeResource(
    { stackId: row.stackId, id: row.id },
    [asRead(row)],
    {
      set: {
        pause: { ...pause, cleared: true },
        statusReason: `Hook ${pause.hook} is cleared`,
        updatedAt: ports.clock.now(),
      },
    },
  );
  if (!write.written) return false;
  await ports.queue.send("check", [visitOfOwner(row, pause)]);
  return true;
};
