/**
 * P22: a signal to a policy is an acceptance on the group's nested stack, outside of any operation
 * of the parent. It reads the nested stack first and the group's row after it. So a parent's
 * operation that has ended in between is seen on the row.
 */
import { acceptTraversal } from "#lib/convergence/traversal.ts";
import type { Adjustment, Bounds } from "#lib/groups/capacity.ts";
import { healthySize } from "#lib/groups/found-group.ts";
import { scaledRecord } from "#lib/groups/scaling-plan.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { hasReachedTarget, nestedStackId } from "#lib/resources/nested/nested-stack.ts";
import { openProperties } from "#lib/stack/reference.ts";
import { loadTemplate, saveTemplate } from "#lib/stack/template-record.ts";
import { cooldownEndOf, cooldownMsOf } from "./cooldown.ts";
import { foundGroup } from "./found-group.ts";
import { drawFor } from "./scaling-group.ts";

/** Another signal may win each time. Then the group is in progress, and this one does nothing. */
const TRIES_MAX = 4;

/** What a policy's signal asks for. */
export interface Scaling {
  /** What get_resource returns for the group. */
  readonly groupName: string;
  readonly adjustment: Adjustment;
  /** Null: the group's own. */
  readonly cooldownSeconds: number | null;
}

/** The sizes before and after a scaling. */
export interface Scaled {
  readonly from: number;
  readonly to: number;
}

/** The bounds and the cooldown of a group of this type. Null: policies do not scale it. */
export type ScalableType = (
  type: string,
  properties: JsonObject,
) => { readonly bounds: Bounds; readonly cooldownSeconds: number } | null;

/**
 * The key of the group's row in the policy's stack. The name is that of the group's nested stack. A
 * stack may have very many rows, and many signals may come at once, so its rows are not listed.
 */
const groupNamed = async (
  { store }: Pick<Ports, "store">,
  { tenant, stackId }: Pick<Resource, "tenant" | "stackId">,
  name: string,
): Promise<Pick<Resource, "stackId" | "id"> | null> => {
  const nestedId = await store.getStackName(tenant, name);
  const owner = nestedId === null ? null : (await store.getStack(tenant, nestedId))?.owner;
  return owner?.stackId === stackId ? { stackId, id: owner.resourceId } : null;
};

/** At rest, and the row's own. A failed change is mended by the next signal. */
const isAtRest = (below: Stack, row: Resource): boolean =>
  below.status !== "IN_PROGRESS" &&
  below.action !== "DELETE" &&
  !below.suspended &&
  below.owner?.resourceId === row.id;

/** No operation of the parent has it, and none has left it behind. */
const isInService = (row: Resource): boolean =>
  row.status === "COMPLETE" &&
  row.operation === null &&
  row.replacedBy === null &&
  row.action !== "DELETE" &&
  row.action !== "INIT";

const attempt = async (
  engine: Ports,
  policy: Resource,
  scaling: Scaling,
  scalable: ScalableType,
): Promise<Scaled | "again" | null> => {
  const above = await engine.store.getStack(policy.tenant, policy.stackId);
  if (above === null) return null;
  const found = await groupNamed(engine, policy, scaling.groupName);
  if (found === null) return null;
  const below = await engine.store.getStack(policy.tenant, nestedStackId(engine, found.id));
  const row = await engine.store.getResource({ stackId: found.stackId, id: found.id });
  if (below === null || row === null) return null;
  if (!isInService(row) || !isAtRest(below, row)) return null;
  const properties =
    row.properties === null ? {} : await openProperties(engine, row, row.properties);
  // An environment may name the type in another way, as the one for stubs does.
  const type = (await engine.resourceTypes.get(row.type))?.type ?? "";
  const known = scalable(type, properties);
  return known === null ? null : scale(engine, policy, { above, below, scaling, ...known });
};

interface Situation {
  readonly above: Stack;
  readonly below: Stack;
  readonly scaling: Scaling;
  readonly bounds: Bounds;
  readonly cooldownSeconds: number;
}

const scale = async (
  engine: Ports,
  policy: Resource,
  { above, below, scaling, bounds, cooldownSeconds }: Situation,
): Promise<Scaled | "again" | null> => {
  const { tenant, id, templateId, statusVersion } = below;
  const { group, ...source } = (await loadTemplate(engine, tenant, id, templateId)).source;
  if (group === undefined) return null;
  const cooldownEnd = cooldownEndOf(below, group.record);
  if (engine.clock.now() < cooldownEnd) return null;
  const signal = engine.ids.fresh();
  const isSettled = hasReachedTarget(below);
  const before = await foundGroup(engine, { former: { group }, below, isSettled });
  if (before === null) return null;
  const from = healthySize(before);
  const record = scaledRecord(
    before,
    scaling.adjustment,
    bounds,
    { cooldownMs: cooldownMsOf(scaling.cooldownSeconds ?? cooldownSeconds), cooldownEnd },
    drawFor(engine, signal, statusVersion, group.record),
  );
  if (record === null) return null;
  // Each signal has a record of its own, because two may read the same state.
  const target = engine.ids.derive("scaled template", policy.id, signal);
  await saveTemplate(engine, tenant, id, target, { ...source, group: { ...group, record } });
  const accepted = await acceptTraversal(engine, below, {
    action: "UPDATE",
    templateId: target,
    // The nested stack still has the time that was left to the group's last operation.
    timeoutMins: above.timeoutMins,
  });
  return accepted.accepted ? { from, to: record.size } : "again";
};

/** Null: it has no effect, and is answered like any other. */
export const scaleGroup = async (
  engine: Ports,
  policy: Resource,
  scaling: Scaling,
  scalable: ScalableType,
): Promise<Scaled | null> => {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const outcome = await attempt(engine, policy, scaling, scalable);
    if (outcome !== "again") return outcome;
  }
  return null;
};
