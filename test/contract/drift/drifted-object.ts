import { callLimit } from "#lib/adapters/node/call-limit.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ProvidedTypes } from "#lib/resources/registry.ts";

export const CHANGES = ["changed", "stopped", "gone", "renamed", "related gone"] as const;
export type Change = (typeof CHANGES)[number];

export interface OpenObject {
  readonly provided: ProvidedTypes;
  /** An absent change is impossible for the object. */
  readonly changes: Partial<Record<Change, () => void>>;
  readonly goOn?: (ports: Ports) => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

export interface DriftedObject {
  readonly title: string;
  readonly resources: JsonObject;
  readonly open: () => Promise<OpenObject>;
}

export const bound = { limit: callLimit(), now: Date.now };
export const nothing = async (): Promise<void> => undefined;
export const formerProvider = () => null;
