/**
 * S34 to S36: which definitions an operation gives to the members of a group. These checkers keep
 * no history, because the rows and the records are enough. `made` is what a row was last made from.
 */
import { definitionsIn } from "#lib/groups/found-group.ts";
import { latestOf, leavingOf, textOfDefinition } from "#lib/groups/record.ts";
import type { GroupSource, MemberDefinition } from "#lib/model/group-record.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { GroupCheckers, GroupsReality } from "./group-checkers.ts";
import type { ScalingSpec } from "./spec.ts";
import { Violation } from "./violation.ts";

type MembersReality = Pick<GroupsReality, "row" | "rowsOf" | "spec" | "group" | "objects">;

const isSame = (one: MemberDefinition | null | undefined, other: MemberDefinition): boolean =>
  one != null && textOfDefinition(one) === textOfDefinition(other);

/** An operation of an overtaken traversal comes too late to be judged. */
const isBegun = (before: Resource | null, after: Resource, stack: Stack): boolean =>
  after.operation !== null &&
  after.operation.generation !== before?.operation?.generation &&
  after.operation.traversalId === stack.traversalId &&
  (after.operation.action === "CREATE" || after.operation.action === "UPDATE");

export class MemberCheckers {
  readonly #reality: MembersReality;
  readonly #groups: Pick<GroupCheckers, "servedWhenPlanned">;

  constructor(reality: MembersReality, groups: Pick<GroupCheckers, "servedWhenPlanned">) {
    this.#reality = reality;
    this.#groups = groups;
  }

  rowWritten(before: Resource | null, after: Resource, stack: Stack | undefined): void {
    const { operation, name } = after;
    if (stack?.owner == null || operation === null || !isBegun(before, after, stack)) return;
    const group = this.#reality.group(operation.templateId);
    if (group === undefined) return;
    const given = definitionsIn(group.record).get(name);
    if (given === undefined) return;
    const rows = this.#reality.rowsOf(stack.id).filter((row) => row.name === name);
    const former = before === null ? rows : [...rows.filter(({ id }) => id !== before.id), before];
    const made = former.flatMap((row) => this.#definition(row.templateId, name) ?? []);
    const isChange = !made.some((one) => isSame(one, given));
    const isWanted = isSame(latestOf(group.record), given);
    if (isChange && !isWanted && !this.#isGood(stack, given)) {
      throw new Violation(`S35: ${name} gets a definition that only a failed update wanted`);
    }
    const { traversalId } = operation;
    const goes = leavingOf(group.record).has(name);
    if (
      isChange &&
      isWanted &&
      goes &&
      this.#groups.servedWhenPlanned(stack.id, traversalId, name)
    ) {
      throw new Violation(`S36: ${name} is changed before it goes`);
    }
  }

  #definition(templateId: string | null, name: string): MemberDefinition | undefined {
    const record = this.#reality.group(templateId ?? "")?.record;
    return record === undefined ? undefined : definitionsIn(record).get(name);
  }

  #isGood({ lastGood }: Stack, definition: MemberDefinition): boolean {
    const record = this.#reality.group(lastGood ?? "")?.record;
    return record?.definitions.some((one) => isSame(one, definition)) === true;
  }

  good(stack: Stack): void {
    const group = this.#reality.group(stack.templateId);
    const wanted = this.#scalingOf(stack);
    if (group === undefined || wanted === undefined) return;
    this.#checkMembers(stack, group, wanted);
  }

  #scalingOf({ owner }: Stack): ScalingSpec | undefined {
    const row = owner === null ? null : this.#reality.row(owner.stackId, owner.resourceId);
    return this.#reality.spec(row?.templateId ?? "")?.[row?.name ?? ""]?.scaling;
  }

  #checkMembers({ name }: Stack, { record }: GroupSource, { member }: ScalingSpec): void {
    const objects = this.#reality.objects().filter(({ stackName }) => stackName === name);
    const found = objects.map(({ logicalName }) => logicalName).sort();
    const names = [...definitionsIn(record).keys()].sort();
    if (found.join(" ") !== names.join(" ") || names.length !== record.size) {
      throw new Violation(`S34: the members are ${found.join(" ")}, not ${names.join(" ")}`);
    }
    for (const { logicalName, properties } of objects) {
      for (const [key, value] of Object.entries(member.properties ?? {})) {
        if (properties[key] === value) continue;
        throw new Violation(`S34: ${key} of ${logicalName} is ${String(properties[key])}`);
      }
    }
  }
}
