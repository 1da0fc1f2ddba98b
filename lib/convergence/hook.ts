/**
 * Hooks (ADR 8): a node waits for a user as it waits for its predecessors. Before a pre-hook is cleared
 * nothing is claimed; before a post-hook is cleared nothing is propagated. All that is written is a mark
 * on the row, which says nothing to any other traversal: so a hook blocks nobody who overtakes it.
 */
import type { Hook } from "#lib/model/hook.ts";
import type { Pause, Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { isStale } from "#lib/stack/is-stale.ts";
import { convergesTo } from "#lib/stack/stack-actions.ts";
import { loadTemplate } from "#lib/stack/template-record.ts";
import { hooksOf } from "#lib/template/resource-hooks.ts";
import { asRead, writeUnlocked } from "./claim.ts";
import { checkResourceMessage } from "./messages.ts";
import type { Step, Visit } from "./visit.ts";

interface Node {
  readonly traversalId: string;
  readonly isUpdate: boolean;
}

const pauseOf = (row: Resource | null, node: Node): Pause | null => {
  const pause = row?.pause ?? null;
  const isOfNode = pause?.traversalId === node.traversalId && pause.isUpdate === node.isUpdate;
  return isOfNode ? pause : null;
};

/** The node waits for its user: neither its message nor the sweeper has anything to do. */
export const isPaused = (row: Resource | null, node: Node): boolean =>
  pauseOf(row, node)?.cleared === false;

/** As in Heat: create hooks in a CREATE of the stack, delete hooks in its DELETE, update hooks wherever a row is updated. */
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

/** The type that the node's resource has or is to have; null: it does not stop. The environment is the target's; a DELETE has none, so there the row's own counts. */
const stopsAs = async (ports: Ports, visit: Visit, hook: Hook): Promise<string | null> => {
  const { stack, row, node, index } = visit;
  const templateId = visit.message.isUpdate ? index.graph.templateId : row?.templateId;
  if (templateId == null) return null;
  const { source, template } = await loadTemplate(ports, stack.tenant, stack.id, templateId);
  if (!hooksOf(source.environment.resourceRegistry, node.name).has(hook)) return null;
  const type = row?.type || (template.resources.get(node.name)?.type ?? "");
  // What becomes another type is not updated but replaced, and that has no hook.
  const isReplaced = hook === "pre-update" && template.resources.get(node.name)?.type !== type;
  return isReplaced ? null : type;
};

/** Null: the node may go on. Otherwise it has stopped, and its message has done its work. */
export const waitAtHook = async (
  ports: Ports,
  visit: Visit,
  moment: "before" | "after",
): Promise<Step | null> => {
  const hook = moment === "before" ? hookBefore(visit) : hookAfter(visit);
  if (hook === null) return null;
  const { traversalId, isUpdate } = visit.message;
  const pause = pauseOf(visit.row, visit.message);
  if (pause?.hook === hook) return pause.cleared ? null : { outcome: "paused" };
  const type = await stopsAs(ports, visit, hook);
  if (type === null) return null;
  const write = await writeUnlocked(ports, visit, {
    type,
    pause: { traversalId, isUpdate, hook, cleared: false },
    statusReason: `${hook.slice(hook.indexOf("-") + 1).toUpperCase()} paused until Hook ${hook} is cleared`,
    updatedAt: ports.clock.now(),
  });
  return { outcome: write.written ? "paused" : "moved" };
};

/** The hook is behind the node without anybody having stopped there: what did not change has no post-update. */
export const passedHook = ({ message }: Visit, hook: Hook): Pause => {
  const { traversalId, isUpdate } = message;
  return { traversalId, isUpdate, hook, cleared: true };
};

/** Whether the row waits at this hook for the traversal that runs. */
export const waitsAtHook = (stack: Stack, row: Resource, hook: Hook): boolean =>
  row.pause?.hook === hook && !row.pause.cleared && !isStale(stack, row.pause);

/**
 * One conditional write, then the node's visit; the sweeper sends it should it be lost. False: the row
 * was written in between and must be looked at again.
 */
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
  const { tenant, stackId, id } = row;
  const traversal = { tenant, stackId, traversalId: pause.traversalId };
  const node = { resourceId: id, isUpdate: pause.isUpdate };
  await ports.queue.send("check", [checkResourceMessage(traversal, node)]);
  return true;
};
