/**
 * Scales a group on a signal to its policy (P22). A signal starts an update of the group's nested
 * stack, outside of any operation of the parent. It reads the nested stack first and the group's
 * row after that, so it notices a parent's operation that ends in between.
 */
import { acceptTraversal } from "#lib/convergence/traversal/traversal.ts";
import type { Adjustment, Bounds } from "#lib/groups/capacity.ts";
import { healthySize } from "#lib/groups/found-group.ts";
import { scaledRecord } from "#lib/groups/scaling-plan.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { hasReachedTarget, nestedStackId } from "#lib/resources/nested/nested-stack.ts";
import { openProperties } from "#lib/stack/record/reference.ts";
import { loadTemplate, saveTemplate } from "#lib/stack/record/template-record.ts";
import { foundGroup } from "./found-group.ts";
import { cooldownEndOf, cooldownMsOf, drawFor } from "./scaling-group.ts";

/**
 * Another signal may win each time. Then the group is in progress, and this signal does nothing.
 */
const TRIES_MAX = 4;

export interface Scaling {
  readonly groupName: string;
  readonly adjustment: Adjustment;
  readonly cooldownSeconds: number | null;
}

export interface Scaled {
  readonly from: number;
  readonly to: number;
}

/**
 * @returns the bounds and the cooldown of the group, or null when policies cannot scale its type.
 */
export type ScalableType = (
  type: string,
  properties: JsonObject,
) => { readonly bounds: Bounds; readonly cooldownSeconds: number } | null;

/**
 * Finds the group's row by the name of its nested stack. The rows of the policy's stack are not
 * listed, because there may be thousands of them and many signals may come at once.
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

/** A failed change does not prevent scaling: the next signal repairs it. */
const isAtRest = (below: Stack, row: Resource): boolean =>
  below.status !== "IN_PROGRESS" &&
  below.action !== "DELETE" &&
  !below.suspended &&
  below.owner?.resourceId === row.id;

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
  // An environment may map the type to another name, for example to that of a stub.
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
  // Each signal writes a template record of its own, because two signals may read the same state.
  const target = engine.ids.derive("scaled template", policy.id, signal);
  await saveTemplate(engine, tenant, id, target, { ...source, group: { ...group, record } });
  const accepted = await acceptTraversal(engine, below, {
    action: "UPDATE",
    templateId: target,
    timeoutMins: above.timeoutMins,
  });
  return accepted.accepted ? { from, to: record.size } : "again";
};

/** @returns null when the signal has no effect. The sender gets the same answer in either case. */
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
