/** A member of a group as an operation finds it. */
export interface Existing {
  readonly name: string;
  /** Its row is COMPLETE. All others count as failed. */
  readonly isServing: boolean;
  /** It is known to have the new definition already. */
  readonly isUpToDate: boolean;
}

/** One batch of Heat. */
export interface RollStep {
  /** How many members the group has after it. */
  readonly size: number;
  /** How many members may get the new definition in it. */
  readonly changes: number;
  /** The members that get it: the new ones first. */
  readonly changed: readonly string[];
  /** The members that go before the others change. */
  readonly removed: readonly string[];
}
