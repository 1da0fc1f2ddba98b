import { clearHook as clear, waitsAtHook } from "#lib/convergence/hook.ts";
import { acceptTraversal } from "#lib/convergence/traversal/traversal.ts";
import { type ResolveAnswer, resolveResource } from "#lib/engine/resources/resolve-resource.ts";
import { purgeDeleted } from "#lib/engine/stacks/retire-stack.ts";
import { RequestError } from "#lib/errors.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { FakeObject } from "#lib/ports/fake-provider.ts";
import { Refusal } from "#lib/software-config/agent-requests/evidence.ts";
import { signalRow } from "#lib/software-config/signals/receive-signal.ts";
import { ABANDONED_TEMPLATE_ID } from "#lib/stack/record/template-record.ts";
import type { Worker } from "./workers.ts";
import type { World } from "./world.ts";

export const clearHook = (world: World, row: Resource): Promise<Worker> =>
  world.user(`user clears a hook of ${row.name}`, async () => {
    const { pause } = row;
    const { stack } = world;
    if (pause === null || stack === null) return "no hook";
    const waits = waitsAtHook(stack, row, pause.hook);
    return waits ? clear(world.ports, row, pause) : "nothing to clear";
  });

export const answer = (world: World, name: string, given: ResolveAnswer): Promise<Worker> =>
  world.user(`user answers for ${name}: ${given.answer}`, async () => {
    const { stack } = world;
    if (stack === null) return "no stack";
    const identity = { tenant: stack.tenant, name: stack.name, id: stack.id };
    try {
      await resolveResource(world.ports, identity, name, given);
      return "answered";
    } catch (error) {
      if (error instanceof RequestError) return error.message;
      throw error;
    }
  });

export const abandon = (world: World): Promise<Worker> =>
  world.user("user abandons", async () => {
    if (world.stack === null) return "no stack";
    const { tenant, id } = world.stack;
    const stack = await world.ports.store.getStack(tenant, id);
    if (stack === null) return "no stack";
    const request = { action: "DELETE" as const, templateId: ABANDONED_TEMPLATE_ID };
    return (await acceptTraversal(world.ports, stack, request)).accepted;
  });

export const purge = (world: World): Promise<Worker> =>
  world.user("user purges", async () => {
    if (world.stack === null) return "no stack";
    const request = { olderThanMs: 0, marker: null };
    return (await purgeDeleted(world.ports, world.stack.tenant, request)).purged.length;
  });

/**
 * The provider's objects, without those that a policy retained or an abandoned stack left, without
 * those of a lost time, and without the snapshots that a policy asked for.
 */
export const ownedObjects = (world: World): readonly FakeObject[] => {
  if (world.stack?.templateId === ABANDONED_TEMPLATE_ID) return [];
  const isRetained = ({ action, status, templateId, name }: Resource): boolean =>
    action === "DELETE" &&
    status === "COMPLETE" &&
    world.specs.get(templateId ?? "")?.[name]?.retained === true;
  const retained = new Set(world.rows.filter(isRetained).map((row) => row.physicalResourceId));
  return world.provider
    .objects()
    .filter(
      ({ physicalId, type }) =>
        !retained.has(physicalId) &&
        !world.folder.isLost(physicalId) &&
        !type.endsWith("::Snapshot"),
    );
};

export const signalType = (world: World, row: Resource): Promise<Worker> =>
  world.user(`user signals to ${row.name}`, async () => {
    try {
      await signalRow(world.ports, row, null);
      return "answered";
    } catch (error) {
      if (error instanceof Refusal) return "refused";
      throw error;
    }
  });
