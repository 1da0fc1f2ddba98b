/** What a group of like members is. It belongs to the target of the group's nested stack. */
import type { Json, JsonObject } from "#lib/json.ts";

/** Values only. Data of users may look like a function, and nothing here is ever called. */
export interface MemberDefinition {
  /** The definition of a resource in HOT's words. */
  readonly body: JsonObject;
  /** What the name of a member replaces in its properties. Null: nothing. */
  readonly indexVar: string | null;
}

/** Both ends belong to it. It goes down if `from` is the larger one. */
export interface PlaceRange {
  readonly from: number;
  readonly to: number;
}

/** The members of one definition that follow each other. */
export interface MemberRun {
  /** Its place in `definitions`. */
  readonly definition: number;
  readonly names: PlaceRange | readonly string[];
}

export interface BatchRun {
  /** Places in the list of all members. Without any it is one empty batch. */
  readonly places: readonly PlaceRange[];
  /** Of each batch but the last. */
  readonly size: number;
  /** Before each batch. Before the first batch of all there is no barrier. */
  readonly pauseSeconds: number;
}

/**
 * An operation that fails, or that a newer one overtakes, must not decide the size of the group. So
 * a record also carries the size from before its operation.
 */
export interface OpenSize {
  /**
   * Of the last target that the root stack reached, with the signals since then. Null: that target
   * did not have the group.
   */
  readonly size: number | null;
  /** What the root stack had reached when the record was made. If that changes, `size` counts. */
  readonly reached: string | null;
}

export interface GroupRecord {
  readonly definitions: readonly MemberDefinition[];
  /** The oldest first, or in the order of their numbers. */
  readonly members: readonly MemberRun[];
  /** The place of the newest definition. Members that are still to change have another one. */
  readonly latest: number;
  /** The skip list of a ResourceGroup, sorted as text. */
  readonly skip: readonly string[];
  /** How many members there are in the end. */
  readonly size: number;
  /**
   * The size of a scaling group that a later target keeps if it leaves the size open. Absent: as
   * `size`.
   */
  readonly open?: OpenSize | undefined;
  /** After a scaling, from its end. */
  readonly cooldownMs: number;
  /** The time until which an earlier scaling allows no other. */
  readonly cooldownEnd: number;
  /** Null: all members at once. */
  readonly batches: {
    /** Names the operation, so that pauses of an earlier operation begin again. */
    readonly turn: string;
    /** The first barrier also waits for operations that an earlier traversal has begun. */
    readonly overtakes: boolean;
    readonly runs: readonly BatchRun[];
  } | null;
  /** The members that go in a second traversal: places in the list of all members. */
  readonly trim: readonly PlaceRange[];
}

/** An attribute of the group as the template above refers to it. */
export interface Referenced {
  readonly key: string;
  readonly path: readonly Json[];
}

/** Which outputs the nested stack has, and in which format Heat shows its template. */
export type GroupKind = "resource group" | "chain" | "scaling group" | "instance group";

/** The part of a target that makes the members of a group. The template beside it has none. */
export interface GroupSource {
  readonly kind: GroupKind;
  readonly record: GroupRecord;
  /** Each member waits for the one before, in deletes too. */
  readonly isSequence: boolean;
  readonly referenced: readonly Referenced[];
  /** The definitions may show a hidden parameter of the template above. */
  readonly isSecret: boolean;
}
