/** S32 and S33: what signals may do to a scaling group, and to the operations of its parent. */
import { leavingOf, membersOf } from "#lib/groups/record.ts";
import type { GroupSource } from "#lib/model/group-record.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import { convergesTo } from "#lib/stack/stack-predicates.ts";
import type { GroupsReality } from "./group-checkers.ts";
import { SCALING_TYPE, type ScalingSpec } from "./spec.ts";
import { Violation } from "./violation.ts";

const sizeOf = ({ record }: GroupSource): number =>
  membersOf(record).length - leavingOf(record).size;

type ScalingReality = Pick<GroupsReality, "row" | "spec" | "group">;

export interface ScalingMemory {
  readonly wanted: readonly (readonly [string, ScalingSpec])[];
  readonly cooldowns: readonly (readonly [string, number])[];
  readonly signalled: readonly string[];
}

export class ScalingCheckers {
  readonly #reality: ScalingReality;
  #wanted = new Map<string, ScalingSpec>();
  /** By nested stack, when the last cooldown ends. It is counted independently of the engine. */
  #cooldowns = new Map<string, number>();
  #signalled = new Set<string>();

  constructor(reality: ScalingReality) {
    this.#reality = reality;
  }

  memoryOf(nested: readonly Stack[]): ScalingMemory {
    const ids = nested.map(({ id }) => id).toSorted();
    const current = new Set(nested.map(({ traversalId }) => traversalId));
    const ofIds = <Value>(all: ReadonlyMap<string, Value>): [string, Value][] =>
      ids.flatMap((id): [string, Value][] => {
        const value = all.get(id);
        return value === undefined ? [] : [[id, value]];
      });
    return {
      wanted: ofIds(this.#wanted),
      cooldowns: ofIds(this.#cooldowns),
      signalled: [...this.#signalled].filter((one) => current.has(one)),
    };
  }

  recall({ wanted, cooldowns, signalled }: ScalingMemory): void {
    this.#wanted = new Map(wanted);
    this.#cooldowns = new Map(cooldowns);
    this.#signalled = new Set(signalled);
  }

  stackWritten(before: Stack | null, after: Stack): void {
    const group = this.#reality.group(after.templateId);
    if (group?.kind !== "scaling group" || after.owner === null) return;
    if (before?.traversalId !== after.traversalId) this.#accepted(before, after, group);
    if (before?.status === "IN_PROGRESS" && after.status === "COMPLETE") this.#ended(after, group);
  }

  #accepted(before: Stack | null, after: Stack, group: GroupSource): void {
    const { owner, id, templateId, traversalId } = after;
    if (owner === null || after.status !== "IN_PROGRESS") return;
    // A SUSPEND names the target of a cancelled update, and brings no group to it.
    if (!convergesTo(after.action)) return;
    if (traversalId === owner.childTraversalId) this.#learn(after);
    else if (templateId !== before?.templateId) this.#checkSignal(before, after);
    const wanted = this.#wanted.get(id);
    const size = sizeOf(group);
    if (wanted !== undefined && (size < wanted.minimum || size > wanted.maximum)) {
      throw new Violation(
        `S32: ${owner.resourceName} has ${size}, not ${wanted.minimum} to ${wanted.maximum}`,
      );
    }
  }

  #learn({ id, owner }: Stack): void {
    if (owner === null) return;
    const above = this.#reality.row(owner.stackId, owner.resourceId)?.operation?.templateId;
    const wanted = this.#reality.spec(above ?? "")?.[owner.resourceName]?.scaling;
    if (wanted !== undefined) this.#wanted.set(id, wanted);
  }

  #checkSignal(before: Stack | null, { id, owner, traversalId, updatedAt }: Stack): void {
    this.#signalled.add(traversalId);
    if (before?.status === "IN_PROGRESS") {
      throw new Violation(`S32: ${owner?.resourceName} is scaled while it changes`);
    }
    if ((updatedAt ?? 0) < (this.#cooldowns.get(id) ?? 0)) {
      throw new Violation(`S32: ${owner?.resourceName} is scaled in a cooldown`);
    }
  }

  #ended({ id, action, endedAt }: Stack, { record }: GroupSource): void {
    if (action !== "CREATE" && action !== "UPDATE") return;
    const until = (endedAt ?? 0) + record.cooldownMs;
    this.#cooldowns.set(id, Math.max(this.#cooldowns.get(id) ?? 0, until));
  }

  rowWritten(before: Resource | null, after: Resource, below: Stack | undefined): void {
    if (before?.operation?.type !== SCALING_TYPE || below === undefined) return;
    const isBehind = after.statusReason.includes("changed behind its parent");
    if (isBehind && after.status === "FAILED" && this.#signalled.has(below.traversalId)) {
      throw new Violation(`S33: a signal fails the operation of ${after.name}`);
    }
  }
}
