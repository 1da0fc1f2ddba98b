/**
 * Checks that a preview is true. It is read just before each update of the stack, while operations
 * run and faults happen. Each visit of the update that finds its row and its inputs as the preview
 * expected must decide as the preview said. The other visits are counted as moved.
 *
 * The decisions of the visits are read from their writes. So only the other checkers find a fault
 * of the code that both share.
 */
import type { DumpedGraph } from "#lib/adapters/memory/stacks.ts";
import type { Decision } from "#lib/convergence/decide.ts";
import { type Foreseen, type ForeseenUpdate, foresee } from "#lib/convergence/preview/foresee.ts";
import { replacementId } from "#lib/convergence/visit.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { isExtant } from "#lib/stack/standing-rows.ts";
import { decisionOfWrite, type ShownDecision } from "./decision-of-write.ts";
import type { Spec } from "./spec.ts";
import type { World } from "./world.ts";

export interface PreviewCounts {
  cases: number;
  graphs: number;
  /** Visits whose row and inputs were as the preview had expected. */
  comparable: number;
  moved: number;
  underWay: number;
  /** Visits of rows that the update itself has made, such as the creation of a replacement. */
  followed: number;
  readonly different: string[];
}

interface Asked {
  readonly templateId: string;
  readonly spec: Spec;
  readonly visitsAll: boolean;
}

interface Reading {
  readonly foreseen: Foreseen;
  readonly spec: Spec;
  readonly rows: ReadonlyMap<string, Resource>;
  isGraphAsRead: boolean;
  readonly begun: Set<string>;
  readonly kept: Set<string>;
}

const NOTHING = (): PreviewCounts => ({
  cases: 0,
  graphs: 0,
  comparable: 0,
  moved: 0,
  underWay: 0,
  followed: 0,
  different: [],
});

export class PreviewCheck {
  readonly counts = NOTHING();
  readonly #world: World;
  readonly #byTemplate = new Map<string, Reading>();
  readonly #byTraversal = new Map<string, Reading>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Its own reads are no steps of the user, so the run is the same with and without previews. */
  async read(stack: Stack, { templateId, spec, visitsAll }: Asked): Promise<void> {
    const { ports, store, blobs } = this.#world;
    const unparked = { ...ports, store, blobs };
    const { source, template } = await loadTemplate(unparked, stack.tenant, stack.id, templateId);
    const target = { templateId: null, source, template };
    const visited = { visitsAll, converges: false };
    const foreseen = await foresee(unparked, stack, target, visited);
    const rows = new Map(store.rowsOf(stack.id).map((row) => [row.id, row]));
    this.#byTemplate.set(templateId, {
      foreseen,
      spec,
      rows,
      isGraphAsRead: false,
      begun: new Set(),
      kept: new Set(),
    });
  }

  stackWritten({ action, templateId, traversalId }: Stack): void {
    const reading = action === "UPDATE" ? this.#byTemplate.get(templateId) : undefined;
    if (reading === undefined || this.#byTraversal.has(traversalId)) return;
    this.#byTemplate.delete(templateId);
    this.#byTraversal.set(traversalId, reading);
    this.counts.cases++;
  }

  graphStored(graph: DumpedGraph): void {
    const reading = this.#byTraversal.get(graph.traversalId);
    if (reading === undefined) return;
    const now = this.#world.store.rowsOf(graph.stackId).filter(isExtant);
    const before = [...reading.rows.values()].filter(isExtant);
    const isAsRead = (row: Resource): boolean =>
      graphFacts(row) === graphFacts(reading.rows.get(row.id) ?? null);
    reading.isGraphAsRead = now.length === before.length && now.every(isAsRead);
    if (!reading.isGraphAsRead) return;
    this.counts.graphs++;
    const planned = graph.nodes.filter(({ isUpdate }) => isUpdate);
    const nodes = planned.map(({ name, mints, resourceId }) => `${name} ${mints || resourceId}`);
    const foreseen = [...reading.foreseen.updates].map(
      ([name, { row }]) => `${name} ${row?.id ?? true}`,
    );
    if (nodes.toSorted().join() !== foreseen.toSorted().join()) {
      this.counts.different.push(`the graph has ${nodes.join()}, not ${foreseen.join()}`);
    }
  }

  rowWritten(before: Resource | null, after: Resource): void {
    const shown = decisionOfWrite(before, after);
    if (shown === null) return;
    const traversalId = shown.traversalId ?? this.#traversalThatReplaces(after);
    const reading = this.#byTraversal.get(traversalId ?? "");
    if (traversalId === undefined || traversalId === null || reading === undefined) return;
    const isOwnRow = before !== null && !reading.rows.has(before.id);
    if (isOwnRow) this.counts.followed++;
    else if (shown.isUpdate) this.#update(reading, traversalId, shown, before, after);
    else if (before !== null) this.#removal(reading, shown, before);
    if (shown.word.startsWith("act") && shown.isUpdate) reading.begun.add(after.id);
  }

  #traversalThatReplaces({ id, replacedBy }: Resource): string | undefined {
    return [...this.#byTraversal.keys()].find(
      (traversalId) => replacementId(this.#world.ports, traversalId, id) === replacedBy,
    );
  }

  #update(
    reading: Reading,
    traversalId: string,
    { word }: ShownDecision,
    before: Resource | null,
    { id, name, stackId }: Resource,
  ): void {
    // The provider has asked for the replacement, in the operation that the preview foresaw.
    if (word === "replace" && reading.begun.has(id)) return void this.counts.followed++;
    const foreseen = reading.foreseen.updates.get(name);
    if (foreseen === undefined || (foreseen.row?.id ?? id) !== id) {
      this.#compare(reading.isGraphAsRead, `${name} ${word}`, `no visit of ${name}`);
      return;
    }
    const isAsRead =
      rowFacts(before) === rowFacts(foreseen.found) &&
      Object.values(reading.spec[name]?.refers ?? {}).every((other) =>
        this.#isInputAsRead(reading, stackId, traversalId, other),
      );
    if (isAsRead && foreseen.fate !== null) this.counts.underWay++;
    const isEqual = this.#compare(
      isAsRead,
      `${name} ${word}`,
      `${name} ${wordOf(foreseen.decision)}`,
    );
    if (isEqual) reading.kept.add(name);
  }

  /** A value that is unknown in a preview counts as different from the row's value. */
  #isInputAsRead(reading: Reading, stackId: string, traversalId: string, other: string): boolean {
    const { updates, leftOut } = reading.foreseen;
    const kept = leftOut.get(other);
    const rows = this.#world.store.rowsOf(stackId);
    const serving =
      kept === undefined
        ? rows.find(({ name, updateDone }) => name === other && updateDone === traversalId)
        : rows.find(({ id }) => id === kept.id);
    const id = serving?.physicalResourceId ?? null;
    if (kept !== undefined) return id === kept.physicalResourceId;
    const update = updates.get(other);
    if (update === undefined) return false;
    const { reference, row } = update;
    if (!reference.isRefIdKnown) return row === null || id !== row.physicalResourceId;
    // The visit decided as foreseen, and the provider did not ask for another row.
    const isAsForeseen = reading.kept.has(other) && serving?.id === row?.id;
    const mustHold = isAsForeseen || update.decision.kind === "replace";
    if (mustHold && id !== row?.physicalResourceId) {
      this.counts.different.push(`${other} has another id than the preview said`);
    }
    // A group is referred to by its name, so the objects are compared.
    return id === row?.physicalResourceId;
  }

  #removal(reading: Reading, { word }: ShownDecision, before: Resource): void {
    const { removals, updates } = reading.foreseen;
    const removal = removals.find(({ row }) => row.id === before.id);
    if (removal === undefined) {
      const isForeseen = reading.kept.has(before.name) && !reading.begun.has(before.id);
      this.#compare(isForeseen, `cleanup of ${before.name} ${word}`, "no cleanup");
      return;
    }
    const update = updates.get(before.name);
    const isAsRead =
      rowFacts(before) === rowFacts(removal.found) && !this.#isShared(update, before);
    const said = `cleanup of ${before.name} ${wordOf(removal.decision)}`;
    this.#compare(isAsRead, `cleanup of ${before.name} ${word}`, said);
  }

  /** P17: the new row has the same object, which only its creation could show. */
  #isShared(update: ForeseenUpdate | undefined, before: Resource): boolean {
    if (update === undefined) return false;
    return this.#world.store
      .rowsOf(before.stackId)
      .some(
        ({ id, name, physicalResourceId }) =>
          id !== before.id &&
          name === before.name &&
          physicalResourceId !== null &&
          physicalResourceId === before.physicalResourceId,
      );
  }

  #compare(isComparable: boolean, decided: string, said: string): boolean {
    if (!isComparable) {
      this.counts.moved++;
      return false;
    }
    this.counts.comparable++;
    if (decided === said) return true;
    this.counts.different.push(`${decided}, but the preview said ${said}`);
    return false;
  }
}

const wordOf = (decision: Decision): string =>
  decision.kind === "act" ? `act ${decision.action}` : decision.kind;

const rowFacts = (row: Resource | null): string =>
  row === null
    ? "none"
    : JSON.stringify([
        row.action,
        row.status,
        row.type,
        row.templateId,
        row.properties,
        row.outcomeUnknown,
        row.externalId,
      ]);

const graphFacts = (row: Resource | null): string =>
  row === null
    ? "none"
    : JSON.stringify([
        rowFacts(row),
        row.replacedBy,
        row.replaces,
        row.physicalResourceId,
        row.operation === null,
        row.requires,
        row.updatedAt,
      ]);
