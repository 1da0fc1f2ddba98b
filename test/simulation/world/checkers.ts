/**
 * The invariants that hold after every write (S…) and at rest (L…), on the engine's records and the
 * provider's objects. docs/rules/invariants.md and docs/rules/cases-and-traces.md number them.
 */
import type { DumpedGraph } from "#lib/adapters/memory/stacks.ts";
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { FakeObject } from "#lib/ports/fake-provider.ts";
import { templatesOfTexts } from "#lib/stack/record/reference.ts";
import { ABANDONED_TEMPLATE_ID, EMPTY_TEMPLATE_ID } from "#lib/stack/record/template-record.ts";
import type { Reality } from "./reality.ts";
import { checkWorkOfThisLife, isMadeInThisLife, isOfThisLife } from "./restored-work.ts";
import { dependenciesOf, isNested, isSameSpec, isUsers, POLICY_TYPE } from "./spec.ts";
import { Violation } from "./violation.ts";

const NEVER_STORED: ReadonlySet<string> = new Set([EMPTY_TEMPLATE_ID, ABANDONED_TEMPLATE_ID]);

const isLiving = (row: Resource): boolean =>
  !(row.action === "DELETE" && row.status === "COMPLETE");
const hasObject = (type: string): boolean =>
  !isNested(type) && type !== BARRIER_TYPE && type !== POLICY_TYPE;
const CONVERGING = new Set<Stack["action"]>(["CREATE", "ADOPT", "UPDATE", "RESTORE", "ROLLBACK"]);
const converges = (stack: Stack): boolean => CONVERGING.has(stack.action);

export class Checkers {
  readonly #reality: Reality;

  constructor(reality: Reality) {
    this.#reality = reality;
  }

  rowWritten(before: Resource | null, after: Resource, stack: Stack): void {
    if (before !== null && after.number < before.number)
      throw new Violation(`S9: number of ${after.name} fell`);
    if (after.lease !== null && after.operation === null) {
      throw new Violation(`S16: ${after.name} is locked without an operation`);
    }
    const began =
      after.operation !== null && after.operation.generation !== before?.operation?.generation;
    if (began) this.#operationBegan(before, after, stack);
    if (began && this.#reality.wasUsed(after)) {
      throw new Violation(`S39: ${after.name} begins an operation that the outside knows`);
    }
    this.#rowIsReadable(after);
  }

  /** S26: the record of every template that may be read is stored. */
  templatesOf(stack: Stack | null | undefined): void {
    if (stack == null || stack.deletedAt !== null) return;
    for (const id of [stack.templateId, stack.lastGood]) this.#isStored(stack, id, "the stack");
    for (const row of this.#reality.rowsOf(stack.id)) this.#rowIsReadable(row);
  }

  #rowIsReadable(row: Resource): void {
    if (!isLiving(row)) return;
    this.#isStored({ id: row.stackId }, row.templateId, row.name);
    this.#isStored({ id: row.stackId }, row.operation?.templateId ?? null, row.name);
    for (const id of templatesOfTexts([row])) this.#isStored({ id: row.stackId }, id, row.name);
  }

  #isStored({ id }: Pick<Stack, "id">, templateId: string | null, whose: string): void {
    if (templateId === null || NEVER_STORED.has(templateId)) return;
    if (!this.#reality.hasTemplate(id, templateId)) {
      throw new Violation(`S26: ${templateId} is gone, and ${whose} names it`);
    }
  }

  #operationBegan(before: Resource | null, after: Resource, stack: Stack): void {
    const { operation } = after;
    if (operation === null) return;
    if (before !== null && !isLiving(before))
      throw new Violation(`S9: tombstone ${after.name} revived`);
    const graph = this.#reality.graph(operation.traversalId);
    const running =
      stack.running === stack.traversalId ? this.#reality.graph(stack.traversalId) : undefined;
    if (graph === undefined) throw new Violation("S12: an operation without a graph");
    if (running !== undefined && graph.traversalNumber < running.traversalNumber) {
      throw new Violation(
        `S9: ${operation.action} of ${after.name} began for an overtaken traversal`,
      );
    }
    // An operation of a dead letter has no time, so it makes no call.
    const mayCall = operation.deadline > operation.startedAt;
    if (mayCall) this.#leavesTheUsers(before, operation.action, graph);
    if (operation.action === "DELETE") this.#deleteBegan(after, graph, stack);
    if (operation.action === "CREATE" || operation.action === "UPDATE") this.#forward(after, graph);
    const inert =
      graph.action === "CHECK" ||
      graph.action === "SNAPSHOT" ||
      graph.action === "SUSPEND" ||
      graph.action === "RESUME";
    if (inert && operation.action !== graph.action) {
      throw new Violation(`S23: ${operation.action} of ${after.name} in ${graph.action}`);
    }
    this.#isFit(before, after, graph);
  }

  #leavesTheUsers(before: Resource | null, action: string, graph: DumpedGraph): void {
    const isChange = action === "CREATE" || action === "UPDATE" || action === "DELETE";
    if (!isChange || before === null || before.externalId === null) return;
    throw new Violation(`S28: ${action} of ${before.name} in ${graph.action}, which is external`);
  }

  /**
   * P3.1a: a resource that is not in service is neither suspended nor resumed, because a COMPLETE
   * would hide that.
   */
  #isFit(before: Resource | null, after: Resource, graph: DumpedGraph): void {
    const action = after.operation?.action;
    if (action !== "SUSPEND" && action !== "RESUME") return;
    const failed = before?.status === "FAILED" && /^(CREATE|UPDATE)$/.test(before.action);
    if (before === null || failed || /^(INIT|DELETE)$/.test(before.action)) {
      throw new Violation(`P3.1: ${action} of ${after.name}, which is not in service`);
    }
    if (!graph.nodes.some((node) => node.isUpdate && node.resourceId === after.id)) {
      throw new Violation(`P3.1: ${action} of ${after.name}, which its traversal has not chosen`);
    }
  }

  #serving(graph: DumpedGraph, name: string): Resource | null {
    const node = graph.nodes.find((one) => one.isUpdate && one.name === name);
    let row = node === undefined ? null : this.#reality.row(graph.stackId, node.resourceId);
    const seen = new Set<string>();
    while (row?.replacedBy != null && row.updateDone !== graph.traversalId && !seen.has(row.id)) {
      seen.add(row.id);
      row = this.#reality.row(graph.stackId, row.replacedBy);
    }
    return row;
  }

  #forward(row: Resource, graph: DumpedGraph): void {
    const spec = this.#reality.spec(graph.templateId)?.[row.name];
    for (const name of spec === undefined ? [] : dependenciesOf(spec)) {
      if (!this.#isBehind(graph, name)) {
        throw new Violation(`S6: ${row.name} began before ${name} was done`);
      }
    }
  }

  /**
   * The resource is done in this traversal. Or it is not visited (P24), and neither is anything
   * that it depends on, unless that is done.
   */
  #isBehind(graph: DumpedGraph, name: string): boolean {
    if (graph.nodes.some((node) => node.isUpdate && node.name === name)) {
      return this.#serving(graph, name)?.updateDone === graph.traversalId;
    }
    const spec = this.#reality.spec(graph.templateId)?.[name];
    const isKept = this.#reality
      .rowsOf(graph.stackId)
      .some((row) => row.name === name && row.status === "COMPLETE" && isLiving(row));
    return (
      isKept &&
      spec !== undefined &&
      dependenciesOf(spec).every((one) => this.#isBehind(graph, one))
    );
  }

  #deleteBegan(row: Resource, graph: DumpedGraph, stack: Stack): void {
    const isCurrent = stack.running === stack.traversalId && stack.action !== "DELETE";
    if (isCurrent && row.updateDone === stack.traversalId && row.replacedBy === null) {
      throw new Violation(`S4: ${row.name} is deleted although it is in service`);
    }
    for (const other of row.type === BARRIER_TYPE ? [] : this.#reality.rowsOf(row.stackId)) {
      const exists = other.physicalResourceId !== null || other.operation !== null;
      if (other.id !== row.id && isLiving(other) && exists && other.requires.includes(row.id)) {
        throw new Violation(`S7: ${row.name} is deleted under ${other.name}`);
      }
    }
    const isKept = this.#reality.spec(graph.templateId)?.[row.name] !== undefined;
    if (graph.action === "DELETE" || !isKept || row.physicalResourceId === null) return;
    if (this.#serving(graph, row.name)?.updateDone !== graph.traversalId) {
      throw new Violation(`S5: the old ${row.name} goes before the new one serves`);
    }
  }

  stackWritten(before: Stack, after: Stack): void {
    if (after.traversalNumber < before.traversalNumber)
      throw new Violation("S9: the traversal number fell");
    this.#goesBackRightly(before, after);
    const ends = before.status === "IN_PROGRESS" && after.status !== "IN_PROGRESS";
    if (after.lastGood !== before.lastGood) this.#isInService(before);
    if (after.lastGood !== before.lastGood && !converges(after)) {
      throw new Violation(`S13: ${after.action} moved last_good`);
    }
    this.#rollsBackRightly(before, after);
    if (after.lastGood !== before.lastGood && !ends)
      throw new Violation("S13: last_good moved without an ending");
    if (ends && after.status === "FAILED" && after.statusReason === "")
      throw new Violation("S10: no reason");
    if (
      before.status !== "IN_PROGRESS" &&
      after.status !== before.status &&
      after.traversalId === before.traversalId
    ) {
      throw new Violation("S11: a traversal ended twice");
    }
    if (ends && after.status === "COMPLETE") this.#isTrue(after);
    this.templatesOf(after);
  }

  /**
   * P1: a request is accepted only on the stack as it was read. So a rollback targets the current
   * last_good.
   */
  #goesBackRightly(before: Stack, after: Stack): void {
    const begins = after.traversalId !== before.traversalId && after.action === "ROLLBACK";
    if (begins && after.templateId !== (before.lastGood ?? EMPTY_TEMPLATE_ID)) {
      throw new Violation(
        `P1: a rollback to ${after.templateId}, and last_good is ${before.lastGood}`,
      );
    }
  }

  #isInService(stack: Stack): void {
    const graph = this.#reality.graph(stack.traversalId);
    for (const node of graph?.nodes.filter((one) => one.isUpdate) ?? []) {
      if (
        graph !== undefined &&
        this.#serving(graph, node.name)?.updateDone !== graph.traversalId
      ) {
        throw new Violation(`S13: last_good is a template whose ${node.name} does not serve`);
      }
    }
  }

  /**
   * P7: where rollback is enabled, a failed node never ends the stack FAILED. P8: the deadline does
   * not roll back a good update.
   */
  #rollsBackRightly(before: Stack, after: Stack): void {
    const updates = before.action === "CREATE" || before.action === "UPDATE";
    const failsByNode =
      after.status === "FAILED" &&
      after.statusReason.startsWith("Resource ") &&
      !after.statusReason.includes("given up");
    if (updates && failsByNode && !before.disableRollback && before.cleanupFailed === null) {
      throw new Violation(`P7: ${before.action} failed and is not rolled back`);
    }
    const timedOut =
      before.action !== "ROLLBACK" &&
      after.action === "ROLLBACK" &&
      after.statusReason.endsWith("timed out");
    if (timedOut && this.#reality.wasGoodInTime(before)) {
      throw new Violation(
        `P8: a good update is rolled back by its deadline: ${after.statusReason}`,
      );
    }
  }

  #isTrue(stack: Stack): void {
    const living = this.#reality.rowsOf(stack.id).filter(isLiving);
    if (stack.action === "DELETE") {
      if (living.length > 0) throw new Violation("S10: DELETE_COMPLETE with rows");
      const objects = this.#reality
        .objects()
        .filter((one) => stack.owner === null || one.stackName === stack.name);
      if (objects.length > 0) throw new Violation("S10: DELETE_COMPLETE with objects");
      return;
    }
    if (!converges(stack)) return;
    const names = Object.keys(this.#reality.spec(stack.templateId) ?? {});
    for (const name of names) {
      const rows = living.filter((row) => row.name === name);
      const [row] = rows;
      if (rows.length !== 1 || row === undefined) {
        throw new Violation(`S10: ${rows.length} rows of ${name} under COMPLETE`);
      }
      if (row.status !== "COMPLETE" || !this.#isAsWanted(row, stack)) {
        throw new Violation(`S10: ${name} is ${row.action}_${row.status} under COMPLETE`);
      }
    }
    if (living.length !== names.length) throw new Violation("S10: a row too many under COMPLETE");
  }

  /**
   * P24: a row that was not visited names an older template with the same definition. The barriers
   * of an older template are gone.
   */
  #isAsWanted({ name, templateId }: Resource, stack: Stack): boolean {
    if (templateId === stack.templateId) return true;
    const former = this.#reality.spec(templateId ?? "") ?? {};
    const [own, wanted] = [former[name], this.#reality.spec(stack.templateId)?.[name]];
    if (own === undefined || wanted === undefined) return false;
    const after = own.after?.filter((one) => former[one]?.type !== BARRIER_TYPE);
    return isSameSpec(after === undefined ? own : { ...own, after }, wanted);
  }

  /** S2: a row has at most one object, even if its creation was requested many times. */
  providerCreated(token: string): void {
    const [rowId = ""] = token.split("/");
    if (this.#reality.objectsOfRow(rowId) > 1)
      throw new Violation(`S2: two objects of row ${rowId}`);
  }

  providerChanges(physicalId: string): void {
    if (isUsers(physicalId)) throw new Violation(`S28: ${physicalId} was changed`);
  }

  /** S8, at the provider: no object refers to an object that is deleted. */
  providerDeletes(physicalId: string): void {
    for (const object of this.#reality.objects()) {
      if (object.physicalId === physicalId || !isOfThisLife(this.#reality, object)) continue;
      if (Object.values(object.properties).includes(physicalId)) {
        throw new Violation(`S8: ${object.logicalName} still refers to what is deleted`);
      }
    }
  }

  /** L1 to L3 and S1, at rest. `isGood`: no fault failed anything in the last traversal. */
  quiet(stack: Stack, isGood: boolean): void {
    if (stack.status === "IN_PROGRESS")
      throw new Violation(`L1: ${stack.action} is still in progress`);
    const rows = this.#reality.rowsOf(stack.id);
    for (const row of rows) {
      if (row.operation !== null || row.lease !== null || row.status === "IN_PROGRESS") {
        throw new Violation(`L1: ${row.name} is still ${row.action}_${row.status}`);
      }
    }
    const ids = rows.filter(isLiving).map(({ physicalResourceId }) => physicalResourceId ?? "");
    const named = new Set(ids.map((id) => this.#reality.madeBy(id) ?? id));
    const asked = new Set(rows.flatMap((row) => (row.outcomeUnknown ? [row.name] : [])));
    for (const object of this.#objectsOf(stack)) {
      // P18: the row asks its user for this object.
      if (asked.has(object.logicalName)) continue;
      if (!named.has(object.physicalId))
        throw new Violation(`S1: ${object.logicalName} was left behind`);
    }
    this.#objectsAreThere(rows.filter((row) => isMadeInThisLife(this.#reality, row)));
    if (stack.status === "COMPLETE" && converges(stack)) this.#isTrue(stack);
    // P14: at a provider that ignores tokens the loss of a worker is a failure.
    const isLost = asked.size > 0 || stack.statusReason.includes("outcome unknown");
    if (!isGood || isLost) return;
    if (stack.status !== "COMPLETE")
      throw new Violation(`L2: ${stack.action}_FAILED: ${stack.statusReason}`);
    if (!converges(stack)) return;
    if (this.#reality.life() === 0) this.realityIsTarget(stack);
    else checkWorkOfThisLife(this.#reality, stack);
  }

  #objectsAreThere(rows: readonly Resource[]): void {
    const there = new Set(this.#reality.objects().map((object) => object.physicalId));
    for (const row of rows) {
      const serves = isLiving(row) && row.status === "COMPLETE" && row.action !== "INIT";
      if (!serves || !hasObject(row.type) || row.physicalResourceId === null) continue;
      if (row.externalId !== null) continue;
      if (!there.has(row.physicalResourceId)) {
        throw new Violation(`S27: ${row.name} is ${row.action}_COMPLETE without its object`);
      }
    }
  }

  #objectsOf(stack: Stack): readonly FakeObject[] {
    return this.#reality.objects().filter((one) => one.stackName === stack.name);
  }

  /** For a nested stack, the caller checks this only if its owner is good. */
  realityIsTarget(stack: Stack): void {
    const spec = this.#reality.spec(stack.templateId) ?? {};
    const found = this.#objectsOf(stack);
    const objects = new Map(found.map((one) => [one.logicalName, one]));
    const plain = Object.entries(spec).filter(
      ([, one]) =>
        one.child === undefined &&
        one.group === undefined &&
        one.scaling === undefined &&
        one.policy === undefined &&
        one.external === undefined &&
        hasObject(one.type ?? ""),
    );
    if (objects.size !== plain.length || objects.size !== found.length) {
      throw new Violation("L2: the provider holds other objects than the target names");
    }
    const nested = (name: string): string | null | undefined =>
      this.#reality.rowsOf(stack.id).find((row) => row.name === name && isLiving(row))
        ?.physicalResourceId;
    for (const [name, one] of plain) {
      const expected: Record<string, string> = { ...one.properties };
      for (const [key, other] of Object.entries(one.refers ?? {})) {
        const external = spec[other]?.external;
        expected[key] = external ?? objects.get(other)?.physicalId ?? nested(other) ?? "none";
      }
      const found: Readonly<Record<string, unknown>> = objects.get(name)?.properties ?? {};
      for (const [key, value] of Object.entries(expected)) {
        if (found[key] !== value)
          throw new Violation(`L2: ${name}.${key} is ${String(found[key])}, not ${value}`);
      }
    }
  }
}
