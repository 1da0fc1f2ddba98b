/** Some values are too large for the item of their record, so a store may keep them separately. */

export interface SpilledValues {
  removedItem(record: RemovalRecord): RemovedItem | null;
}

export interface RemovalRecord {
  readonly Keys?: object | undefined;
  readonly OldImage?: object | undefined;
}

export interface RemovedItem {
  exists(): Promise<boolean>;
  listValues(): Promise<readonly string[]>;
  deleteValue(value: string): Promise<void>;
}

export const SPILLED_VALUES_MAX = 1_000;

export const NO_SPILLED_VALUES: SpilledValues = { removedItem: () => null };
