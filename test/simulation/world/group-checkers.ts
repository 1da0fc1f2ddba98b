/** S29 to S31: the invariants of groups, between the template above, the record and the members. */

import { isBarrierName } from "#lib/groups/barriers.ts";
import { membersOf } from "#lib/groups/record.ts";
import { isJsonObject } from "#lib/json.ts";
import type { GroupSource } from "#lib/model/group-record.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import { convergesTo } from "#lib/stack/stack-predicates.ts";
import { wantedMember } from "./group-spec.ts";
import type { Reality } from "./reality.ts";
import { type RollMemory, RollWatch, serves } from "./roll-watch.ts";
import { type GroupSpec, isGroup, type ScalingSpec } from "./spec.ts";
import { Violation } from "./violation.ts";

export interface GroupsReality extends Pick<Reality, "row" | "rowsOf" | "spec" | "objects"> {
  stacks(): readonly Stack[];
  group(templateId: string): GroupSource | undefined;
}

type ById<Value> = readonly (readonly [string, Value])[];

export interface GroupsMemory {
  readonly wanted: ById<WantedGroup>;
  readonly rolls: ById<RollMemory>;
  readonly steady: ById<readonly string[]>;
  readonly skips: ById<readonly string[]>;
}

const ofKeys = <Value>(
  all: ReadonlyMap<string, Value>,
  keys: ReadonlySet<string>,
): [string, Value][] => [...all].filter(([key]) => keys.has(key)).toSorted(byKey);

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

const sets = (entries: ById<readonly string[]>): [string, ReadonlySet<string>][] =>
  entries.map(([key, names]) => [key, new Set(names)]);

const lists = (entries: ById<ReadonlySet<string>>): [string, readonly string[]][] =>
  entries.map(([key, names]) => [key, [...names].sort()]);

/** Barriers are known by name, because one that a dead letter has claimed has no type yet. */
const isMember = ({ name }: Resource): boolean => !isBarrierName(name);

const isLiving = ({ action, status }: Resource): boolean =>
  !(action === "DELETE" && status === "COMPLETE");

/**
 * A scaling whose cleanup failed leaves members to the next update, deleted or not yet reached. A
 * SUSPEND or a CHECK ends beside them.
 */
const isLeftover = (stack: Stack, names: readonly string[], { name }: Resource): boolean =>
  !convergesTo(stack.action) && !names.includes(name);

const isAtRest = ({ action, status, lastGood, templateId }: Stack): boolean =>
  action !== "DELETE" && status === "COMPLETE" && lastGood === templateId;

const sorted = (names: Iterable<string>): string => [...names].sort().join(" ");

export class GroupCheckers {
  readonly #reality: GroupsReality;
  #wanted = new Map<string, WantedGroup>();
  #rolls = new Map<string, RollWatch>();
  /**
   * By nested stack, the members that have served ever since it was last written. A plan is made
   * between that write and its acceptance.
   */
  #steady = new Map<string, ReadonlySet<string>>();
  #skips = new Map<string, ReadonlySet<string>>();

  constructor(reality: GroupsReality) {
    this.#reality = reality;
  }

  /** No operation goes on at rest, or starts from a record that its stack no longer names. */
  memoryOf(nested: readonly Stack[]): GroupsMemory {
    const ids = new Set(nested.map(({ id }) => id));
    const busy = new Set(nested.filter((stack) => !isAtRest(stack)).map(({ id }) => id));
    const named = new Set(
      nested.flatMap(({ templateId, lastGood }) => [templateId, lastGood ?? ""]),
    );
    return {
      wanted: ofKeys(this.#wanted, named),
      rolls: ofKeys(this.#rolls, busy).map(([id, roll]) => [id, roll.memory]),
      steady: lists(ofKeys(this.#steady, ids)),
      skips: lists(ofKeys(this.#skips, ids)),
    };
  }

  recall({ wanted, rolls, steady, skips }: GroupsMemory): void {
    this.#wanted = new Map(wanted);
    this.#rolls = new Map(rolls.map(([id, memory]) => [id, RollWatch.of(memory)]));
    this.#steady = new Map(sets(steady));
    this.#skips = new Map(sets(skips));
  }

  servedWhenPlanned(stackId: string, traversalId: string, name: string): boolean {
    return this.#rolls.get(stackId)?.servedWhenPlanned(traversalId, name) === true;
  }

  isGroup(templateId: string): boolean {
    return this.#reality.group(templateId) !== undefined;
  }

  stackWritten(before: Stack | null, after: Stack): void {
    this.#accepted(before, after);
    this.#steady.set(after.id, new Set(this.#members(after).filter(serves).map(nameOf)));
  }

  #accepted(before: Stack | null, after: Stack): void {
    const { owner } = after;
    if (owner === null || before?.traversalId === after.traversalId) return;
    const isOwners = owner.childTraversalId === after.traversalId;
    // A traversal that is cancelled goes on at its members, so its limits still hold.
    if (!isOwners && after.status === "FAILED") return;
    if (owner.step === "second" && isOwners) {
      this.#secondAccepted(before, after);
      return;
    }
    if (after.templateId === before?.templateId || after.action === "DELETE") {
      this.#rolls.delete(after.id);
      return;
    }
    const group = this.#reality.group(after.templateId);
    const wanted = this.#learnWanted(after);
    const former = before === null ? undefined : this.#reality.group(before.templateId);
    this.#checkSkip(after, group, former, wanted);
    this.#begin(before, after, { group, former, wanted });
  }

  #secondAccepted(before: Stack | null, after: Stack): void {
    const { owner } = after;
    if (owner === null || before === null) return;
    const row = this.#reality.row(owner.stackId, owner.resourceId);
    if (row?.operation?.generation !== owner.generation) {
      throw new Violation(`S30: an operation of ${owner.resourceName} that has ended goes on`);
    }
    if (before.status !== "COMPLETE" || before.traversalId !== before.owner?.childTraversalId) {
      throw new Violation(`S30: ${owner.resourceName} goes on before its first step is done`);
    }
    const wanted = this.#wanted.get(before.templateId);
    if (wanted !== undefined) this.#wanted.set(after.templateId, wanted);
  }

  #learnWanted({ owner, templateId }: Stack): WantedGroup | undefined {
    if (owner === null || this.#reality.group(templateId) === undefined) return undefined;
    const above = this.#reality.row(owner.stackId, owner.resourceId)?.operation?.templateId;
    const known = this.#wanted.get(templateId);
    const spec = this.#reality.spec(above ?? "")?.[owner.resourceName];
    const wanted = known ?? spec?.group ?? this.#scaled(spec?.scaling, templateId);
    if (wanted !== undefined) this.#wanted.set(templateId, wanted);
    return wanted;
  }

  #scaled(scaling: ScalingSpec | undefined, templateId: string): WantedGroup | undefined {
    const record = this.#reality.group(templateId)?.record;
    if (scaling === undefined || record === undefined) return undefined;
    const { member, rolling = { batch: 1 } } = scaling;
    return { count: record.size, member, rolling, isScaled: true };
  }

  #checkSkip(
    { id, owner }: Stack,
    group: GroupSource | undefined,
    former: GroupSource | undefined,
    wanted: GroupSpec | undefined,
  ): void {
    if (group === undefined || wanted === undefined) {
      this.#skips.delete(id);
      return;
    }
    const removed = wanted.removed ?? [];
    // Without a record below the group begins anew, even under an id that it had before.
    const old = (former === undefined ? undefined : this.#skips.get(id)) ?? new Set();
    const known = new Set(former === undefined ? [] : membersOf(former.record).map(nameOf));
    const named =
      former === undefined ? removed : removed.filter((name) => known.has(name) || old.has(name));
    const skip = new Set([...(wanted.mode === "update" ? [] : old), ...named]);
    this.#skips.set(id, skip);
    const members = membersOf(group.record).map(nameOf);
    if (sorted(group.record.skip) !== sorted(skip) || members.some((name) => skip.has(name))) {
      throw new Violation(
        `S30: ${owner?.resourceName} skips ${sorted(group.record.skip)}, not ${sorted(skip)}`,
      );
    }
  }

  #begin(before: Stack | null, after: Stack, plan: Plan): void {
    const { group, former, wanted } = plan;
    const overtaken = this.#rolls.get(after.id) ?? "no roll";
    this.#rolls.delete(after.id);
    const policy = wanted?.rolling;
    if (before === null || former === undefined || group === undefined) return;
    if (policy === undefined || wanted === undefined) return;
    const isSettled = isAtRest(before);
    if (isSettled && !this.#isOther(former, wanted)) return;
    // A member that an overtaken second traversal has not yet removed is no longer a member.
    const known = new Set(membersOf(former.record).map(nameOf));
    const skip = this.#skips.get(after.id);
    const serving = [...(this.#steady.get(after.id) ?? [])].filter(
      (name) => known.has(name) && skip?.has(name) !== true,
    );
    const limits = {
      traversalId: after.traversalId,
      floor: Math.min(policy.minimum ?? 0, wanted.count, serving.length),
      batch: policy.batch,
      serving: serving.toSorted(),
      grown: wanted.isScaled ? grownIn(group, known) : [],
    };
    this.#rolls.set(after.id, new RollWatch(limits, isSettled ? null : overtaken));
  }

  #isOther({ record }: GroupSource, { member }: GroupSpec): boolean {
    return record.definitions.some(({ body }) => {
      const properties = body["properties"] ?? {};
      const given = Object.entries(member.properties ?? {});
      const isSame =
        isJsonObject(properties) &&
        Object.keys(properties).length === given.length &&
        given.every(([key, value]) => properties[key] === value);
      return !isSame || body["type"] !== (member.type ?? "Hearth::Test::Scenario");
    });
  }

  /** Members that removal policies name may go at any time. */
  #members({ id }: Stack): readonly Resource[] {
    const skip = this.#skips.get(id);
    return this.#reality.rowsOf(id).filter((row) => isMember(row) && skip?.has(row.name) !== true);
  }

  rowWritten(before: Resource | null, after: Resource, stack: Stack | undefined): void {
    if (before?.operation != null && isGroup(before.operation.type)) {
      this.#checkEnd(before, after);
    }
    if (stack?.owner == null || !isMember(after)) return;
    const rows = this.#members(stack);
    const serving = new Set(rows.filter(serves).map(nameOf));
    const steady = [...(this.#steady.get(stack.id) ?? [])];
    this.#steady.set(stack.id, new Set(steady.filter((name) => serving.has(name))));
    this.#rolls.get(stack.id)?.memberWritten(before, after, rows);
  }

  #checkEnd({ operation }: Resource, after: Resource): void {
    if (operation === null || after.operation !== null || after.status !== "COMPLETE") return;
    const isOwn = after.updateDone === operation.traversalId;
    if (!isOwn || !["CREATE", "UPDATE"].includes(operation.action)) return;
    const below = this.#reality.stacks().find(({ owner }) => owner?.resourceId === after.id);
    const record = this.#reality.group(below?.templateId ?? "")?.record;
    if (record !== undefined && record.trim.length > 0) {
      throw new Violation(`S31: ${after.name} is complete with its surplus`);
    }
  }

  quiet(stack: Stack): void {
    const group = this.#reality.group(stack.templateId);
    if (group === undefined || !isAtRest(stack)) return;
    const names = membersOf(group.record).map(nameOf);
    const rows = this.#members(stack).filter(
      (row) => isLiving(row) && !isLeftover(stack, names, row),
    );
    if (sorted(rows.map(nameOf)) !== sorted(names)) {
      throw new Violation(`S31: the members are ${sorted(rows.map(nameOf))}, not ${sorted(names)}`);
    }
  }

  good(stack: Stack): void {
    const wanted = this.#wanted.get(stack.templateId);
    if (wanted === undefined || wanted.isScaled) return;
    const skip = this.#skips.get(stack.id) ?? new Set();
    const names: string[] = [];
    for (let index = 0; names.length < wanted.count; index++) {
      if (!skip.has(String(index))) names.push(String(index));
    }
    const objects = this.#reality.objects().filter((one) => one.stackName === stack.name);
    const found = objects.map(({ logicalName }) => logicalName);
    if (sorted(found) !== sorted(names)) {
      throw new Violation(`S31: the members are ${sorted(found)}, not ${sorted(names)}`);
    }
    for (const { logicalName, properties } of objects) {
      for (const [key, value] of Object.entries(wantedMember(wanted, logicalName))) {
        if (properties[key] === value) continue;
        throw new Violation(`S31: ${key} of member ${logicalName} is ${String(properties[key])}`);
      }
    }
  }
}

interface WantedGroup extends GroupSpec {
  readonly isScaled?: true;
}

interface Plan {
  readonly group: GroupSource | undefined;
  readonly former: GroupSource | undefined;
  readonly wanted: WantedGroup | undefined;
}

/** The record has the oldest members first, and the members by which the group grows last. */
const grownIn = ({ record }: GroupSource, known: ReadonlySet<string>): readonly string[] => {
  const added = membersOf(record)
    .map(nameOf)
    .filter((name) => !known.has(name));
  const count = Math.max(record.size - known.size, 0);
  return added.slice(Math.max(added.length - count, 0)).toSorted();
};

const nameOf = ({ name }: { readonly name: string }): string => name;
