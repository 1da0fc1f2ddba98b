import { afterEach, beforeEach } from "vitest";
import { present } from "#lib/errors.ts";

export interface Opened<T> {
  readonly port: T;
  readonly close: () => Promise<void> | void;
}

export type Open<T> = () => Promise<Opened<T>> | Opened<T>;

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
