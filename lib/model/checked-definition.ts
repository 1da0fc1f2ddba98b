/** What a type's own checks may ask about a definition beside its properties. */
import type { Json, JsonObject } from "#lib/json.ts";

export interface CheckedDefinition {
  /** Where errors place it: `resources.web`, or `Resources.web`. */
  readonly place: string;
  /** The key of its properties: `properties`, or `Properties`. */
  readonly propertiesKey: string;
  /** The section as it is written, with its calls. */
  readonly metadata: JsonObject;
  /** Resolved, with the defaults of the schema. */
  readonly updatePolicy: JsonObject;
  /** How long an action of its stack may take. Null: not known yet, as in a nested template. */
  readonly timeoutSeconds: number | null;
  /** False in a nested template: there Heat's schemas look at no value, and a read may fail. */
  readonly checksValues: boolean;
  /** Whether another resource of the template has this name. */
  isResource(name: string): boolean;
  /** Whether it depends on the resource of this name. */
  requires(name: string): boolean;
}

/** An error of another class than StackValidationFailed, such as ResourcePropertyConflict. */
export interface NamedRefusal {
  /** Heat's exception class. Clients see it. */
  readonly code: string;
  readonly message: string;
}

/** A text alone is that of a StackValidationFailed. */
export type Refusal = string | NamedRefusal;

/** Null: nothing is wrong. */
export type Problem = Refusal | null;

/** Reads one property, whose constraints are not checked. Undefined: it has no value. */
export type ReadProperty = (key: string) => Json | undefined;
