/** What a group of like members is. It belongs to the target of the group's nested stack (P21). */
import type { Json, JsonObject } from "#lib/json.ts";

/** Values only: data of users may look like a function call, but nothing here is ever called. */
export interface MemberDefinition {
  readonly body: JsonObject;
  /** The text that a member's name replaces in its properties. */
  readonly indexVar: string | null;
}

/** Both ends belong to the range. It goes down if `from` is larger. */
export interface PlaceRange {
  readonly from: number;
  readonly to: number;
}

export interface MemberRun {
  readonly definition: number;
  readonly names: PlaceRange | readonly string[];
}

export interface BatchRun {
  /** Indexes in the list of all members. Without any, the run is one empty batch. */
  readonly places: readonly PlaceRange[];
  readonly size: number;
  /** The pause before each batch. Before the very first batch there is no barrier. */
  readonly pauseSeconds: number;
}

/**
 * An operation that fails or is overtaken must not decide the size of the group, so a record also
 * carries the size from before its operation (P21).
 */
export interface OpenSize {
  /**
   * The size of the last target that the root stack reached, with the signals since then. It is
   * null when that target did not have the group.
   */
  readonly size: number | null;
  /** If the root stack has reached another target since, the record's own `size` counts. */
  readonly reached: string | null;
}

export interface GroupRecord {
  readonly definitions: readonly MemberDefinition[];
  /** The oldest first, or in the order of their numbers. */
  readonly members: readonly MemberRun[];
  readonly latest: number;
  readonly skip: readonly string[];
  readonly size: number;
  /** The size of a scaling group that a later target keeps if it leaves the size open. */
  readonly open?: OpenSize | undefined;
  readonly cooldownMs: number;
  readonly cooldownEnd: number;
  readonly batches: {
    /** The name of the operation, so that barriers pause again in each operation. */
    readonly turn: string;
    /** The first barrier also waits for operations of an earlier traversal (P21). */
    readonly overtakes: boolean;
    readonly runs: readonly BatchRun[];
  } | null;
  /** The members that go in the second traversal (P20): indexes in the list of all members. */
  readonly trim: readonly PlaceRange[];
}

export interface Referenced {
  readonly key: string;
  readonly path: readonly Json[];
}

export type GroupKind = "resource group" | "chain" | "scaling group" | "instance group";

export interface GroupSource {
  readonly kind: GroupKind;
  readonly record: GroupRecord;
  readonly isSequence: boolean;
  readonly referenced: readonly Referenced[];
  /** The definitions may show a hidden parameter of the template above. */
  readonly isSecret: boolean;
}
