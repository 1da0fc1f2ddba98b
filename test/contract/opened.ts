import { afterEach, beforeEach } from "vitest";
import { present } from "#lib/errors.ts";

/** An adapter for a suite. It is opened before each test and closed after it. */
export interface Opened<T> {
  readonly port: T;
  readonly close: () => Promise<void> | void;
}

export type Open<T> = () => Promise<Opened<T>> | Opened<T>;

/** Opens an adapter for each test of the surrounding suite. The result returns the current one. */
export const eachTest = <T>(open: Open<T>): (() => T) => {
  let opened: Opened<T> | null = null;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(async () => {
    await opened?.close();
    opened = null;
  });
  return () => present(opened, "an opened adapter").port;
};
