/**
 * What must hold of a group at any moment of its life, and when its stack is at rest. The oracle
 * knows only the requests, the rows and the provider's objects, and nothing of any plan: (a) the
 * members after COMPLETE, (b) and (c) who gets which definition, (d) how many are in service, (e)
 * the attributes, (f) the members after ROLLBACK_COMPLETE.
 */
import { isBarrierName } from "#lib/groups/barriers.ts";
import type { Json } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { FakeObject } from "#lib/ports/fake-provider.ts";
import { at } from "../../unit/api/api-world.ts";
import type { LifeWorld } from "./life-world.ts";

export interface Target {
  readonly text: string;
  readonly size: number | null;
  readonly minimum: number;
}

export class Broken extends Error {}

const SIZE_MAX = 9;

const expect = (rule: string, holds: boolean, what: () => string): void => {
  if (!holds) throw new Broken(`(${rule}) ${what()}`);
};

const serves = ({ action, status }: Resource): boolean =>
  status === "COMPLETE" && action !== "DELETE" && action !== "INIT";

interface Promised {
  readonly floor: number;
  readonly before: ReadonlyMap<string, string>;
}

export class GroupOracle {
  readonly #world: LifeWorld;
  #target: Target;
  #good: Target;
  #open: number;
  #seen = new Map<string, string>();
  /** By member, the texts that overtaken operations may still give. */
  readonly #late = new Map<string, Set<string>>();
  /** The texts of requests that the newest one overtakes, until it reaches the nested stack. */
  readonly #passing = new Set<string>();
  #followed = "";
  #promised: Promised | null = null;
  readonly #changed = new Set<string>();

  constructor(world: LifeWorld, target: Target) {
    this.#world = world;
    this.#target = target;
    this.#good = target;
    this.#open = target.size ?? target.minimum;
  }

  get root(): Stack | undefined {
    return this.#world.store.dump().stacks.find(({ owner }) => owner === null);
  }

  get path(): string {
    return `/stacks/${this.root?.name}/${this.root?.id}`;
  }

  get #groupRow(): Resource | undefined {
    return this.#groupRows.find(({ action }) => action !== "DELETE");
  }

  get #groupRows(): readonly Resource[] {
    const rows = this.root === undefined ? [] : this.#world.store.rowsOf(this.root.id);
    return rows.filter(
      ({ name, action, status }) =>
        name === "group" && !(action === "DELETE" && status === "COMPLETE"),
    );
  }

  get below(): Stack | undefined {
    const row = this.#groupRow;
    return this.#world.store.dump().stacks.find(({ owner }) => owner?.resourceId === row?.id);
  }

  get members(): readonly Resource[] {
    const { below } = this;
    if (below === undefined) return [];
    const rows = this.#world.store.rowsOf(below.id);
    return rows.filter(
      ({ name, action, status }) =>
        !isBarrierName(name) && !(action === "DELETE" && status === "COMPLETE"),
    );
  }

  get serving(): ReadonlySet<string> {
    return new Set(this.members.filter(serves).map(({ name }) => name));
  }

  get objects(): readonly FakeObject[] {
    const name = this.below?.name;
    return this.#world.provider
      .objects()
      .filter(({ stackName }) => name !== undefined && stackName.startsWith(name));
  }

  /**
   * Called before the request is sent. Until it arrives, the former request goes on in the group.
   */
  requested(target: Target | "rollback", { in_service }: { readonly in_service: number }): void {
    this.#passing.add(this.#target.text);
    const isCalm =
      this.#promised === null &&
      this.root?.status === "COMPLETE" &&
      this.members.every(serves) &&
      target !== "rollback";
    const size = target === "rollback" ? 0 : (target.size ?? SIZE_MAX);
    this.#promised = isCalm
      ? {
          floor: Math.min(in_service, size, this.serving.size),
          before: new Map(this.objects.map((one) => [one.physicalId, textOf(one)])),
        }
      : null;
    this.#changed.clear();
    this.#target = target === "rollback" ? this.#good : target;
  }

  /** After a fault of the update's own, or one from outside, the update promises no floor. */
  disturbed(): void {
    this.#promised = null;
  }

  /**
   * The newest request has reached the nested stack, so operations that began there before are
   * late.
   */
  #follow(): void {
    const { below, root } = this;
    if (below === undefined || below.traversalId === this.#followed) return;
    this.#followed = below.traversalId;
    for (const { name, operation } of this.members) {
      if (operation === null || operation.traversalId === below.traversalId) continue;
      const texts = this.#late.get(name) ?? new Set();
      this.#late.set(name, new Set([...texts, ...this.#passing]));
    }
    if (this.#groupRow?.operation?.traversalId === root?.traversalId) this.#passing.clear();
  }

  async look(isReading: boolean): Promise<void> {
    // A ResourceChain with other properties is another one. Then there are two groups for a while.
    if (this.#groupRows.length !== 1) return;
    this.#follow();
    const isRollback = this.root?.action === "ROLLBACK";
    for (const one of this.objects) {
      const text = textOf(one);
      const former = this.#seen.get(one.physicalId);
      if (former === text) continue;
      this.#seen.set(one.physicalId, text);
      if (former !== undefined) this.#changed.add(one.physicalId);
      const wanted = isRollback ? [this.#good.text] : [this.#target.text, this.#good.text];
      const member = this.#memberOf(one);
      const isLate = this.#passing.has(text) || this.#late.get(member)?.has(text) === true;
      expect("b", wanted.includes(text) || isLate, () => `${member} gets ${text}, not ${wanted}`);
    }
    const floor = this.#promised?.floor ?? 0;
    const { size } = this.serving;
    const isPromised = !isRollback && !this.hasNestedMembers;
    expect("d", !isPromised || size >= floor, () => `${size} members serve, not ${floor}`);
    if (isReading) await this.#readAttributes();
  }

  #memberOf({ stackName, logicalName }: FakeObject): string {
    const prefix = `${this.below?.name}-`;
    const inside = this.members.find(({ name }) => stackName.startsWith(`${prefix}${name}-`));
    return inside?.name ?? logicalName;
  }

  async #readAttributes(): Promise<void> {
    const row = this.#groupRow;
    if (row === undefined || row.action === "INIT" || row.physicalResourceId === null) return;
    const { body } = await this.#world.send("GET", this.path);
    const outputs = at(body, "stack", "outputs");
    const listed = (Array.isArray(outputs) ? outputs : []).find((one) =>
      ["refs", "list"].includes(String(at(one, "output_key"))),
    );
    const value = at(listed, "output_value");
    const found = referencesIn(value);
    const { serving } = this;
    const what = () => `${JSON.stringify(value)} for ${[...serving].join(" ")}`;
    expect("e", found.length === serving.size && !found.includes(null), what);
  }

  atRest(): void {
    const { root, objects } = this;
    if (root === undefined) throw new Broken("there is no stack");
    const state = `${root.action}_${root.status}`;
    if (state === "ROLLBACK_COMPLETE") {
      this.#checkMembers("f", this.#good, this.#sizeBack());
      this.#target = this.#good;
    }
    const isTarget = state === "UPDATE_COMPLETE" || state === "CREATE_COMPLETE";
    if (isTarget) {
      const { size, minimum } = this.#target;
      this.#checkMembers("a", this.#target, size ?? this.#clamped(minimum));
      this.#checkSpared();
      this.#good = this.#target;
      this.#open = objects.length;
    }
    if (root.status === "COMPLETE") this.#late.clear();
    this.#promised = null;
  }

  /**
   * The size after a rollback: a template that gives the size cannot keep what signals have made of
   * it.
   */
  #sizeBack(): number {
    const { size, minimum } = this.#good;
    return this.isScaled ? this.#clamped(minimum) : (size ?? minimum);
  }

  isScaled = false;
  /** Such members are visited even where nothing changes, and then their rows are in progress. */
  hasNestedMembers = false;

  #clamped(minimum: number): number {
    return Math.min(Math.max(this.#open, minimum), SIZE_MAX);
  }

  #checkMembers(rule: "a" | "f", { text }: Target, size: number): void {
    const texts = this.objects.map(textOf);
    const what = () => `the members have ${texts.join(" ")}, not ${size} times ${text}`;
    expect(rule, texts.length === size && texts.every((one) => one === text), what);
    expect(
      rule,
      this.serving.size === size,
      () => `${this.serving.size} members serve, not ${size}`,
    );
  }

  #checkSpared(): void {
    const before = this.#promised?.before;
    if (before === undefined) return;
    const now = new Set(this.objects.map(({ physicalId }) => physicalId));
    const spoilt = [...this.#changed].filter((id) => before.has(id) && !now.has(id));
    expect("c", spoilt.length === 0, () => `${spoilt.join(" ")} changed, and went`);
  }

  /**
   * Called before a signal is sent.
   * @returns the size that the signal must lead to, or null when it has no effect.
   */
  scaledBy(adjustment: number): number | null {
    const { root, below } = this;
    const row = this.#groupRow;
    const isFree = row?.status === "COMPLETE" && row.operation === null && row.action !== "DELETE";
    if (root === undefined || below === undefined || !isFree || below.suspended) return null;
    if (below.status === "IN_PROGRESS") return null;
    const failed = new Set(this.members.filter((one) => one.status === "FAILED").map(nameOf));
    const healthy = new Set(this.members.map(nameOf).filter((name) => !failed.has(name))).size;
    const { minimum } = this.#target;
    const size = Math.min(Math.max(healthy + adjustment, minimum), SIZE_MAX);
    return size === healthy ? null : size;
  }

  scaled(size: number): void {
    this.#open = size;
    const { length } = this.objects;
    expect("a", length === size, () => `${length} members after a signal, not ${size}`);
  }
}

const nameOf = ({ name }: Resource): string => name;

const textOf = ({ properties }: FakeObject): string => String(properties["value"]);

const referencesIn = (value: Json | undefined): readonly Json[] => {
  if (typeof value === "string") return value.split(",");
  return Array.isArray(value) ? value : [];
};
