export interface Existing {
  readonly name: string;
  /** Its row is COMPLETE. All others count as failed. */
  readonly isServing: boolean;
  readonly isUpToDate: boolean;
}

export interface RollStep {
  readonly size: number;
  readonly changes: number;
  readonly changed: readonly string[];
  /** The members that go before the others change. */
  readonly removed: readonly string[];
}
