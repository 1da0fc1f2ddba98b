/** What a type's own checks may ask about a definition beside its properties. */
import type { Json, JsonObject } from "#lib/json.ts";

export interface CheckedDefinition {
  readonly place: string;
  readonly propertiesKey: string;
  readonly metadata: JsonObject;
  readonly updatePolicy: JsonObject;
  readonly timeoutSeconds: number | null;
  /** False in a nested template, where Heat's schemas check no values and a read may fail. */
  readonly checksValues: boolean;
  isResource(name: string): boolean;
  requires(name: string): boolean;
}

export interface NamedRefusal {
  readonly code: string;
  readonly message: string;
}

export type Refusal = string | NamedRefusal;

export type Problem = Refusal | null;

export type ReadProperty = (key: string) => Json | undefined;
