/** Values that are too large for the item of their record, so that the store keeps them apart. */

export interface SpilledValues {
  /**
   * The removed item that a record of a table's stream is about. Null if none of its values was
   * kept apart.
   */
  removedItem(record: RemovalRecord): RemovedItem | null;
}

export interface RemovalRecord {
  readonly Keys?: object | undefined;
  readonly OldImage?: object | undefined;
}

export interface RemovedItem {
  /** Whether there is an item with this key now. The read is strongly consistent. */
  exists(): Promise<boolean>;
  /** The first of its values that are left, at most SPILLED_VALUES_MAX. */
  listValues(): Promise<readonly string[]>;
  deleteValue(value: string): Promise<void>;
}

export const SPILLED_VALUES_MAX = 1_000;

/** Of a store that keeps every value in its record. */
export const NO_SPILLED_VALUES: SpilledValues = { removedItem: () => null };
