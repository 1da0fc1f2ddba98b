/** What a type's own checks may ask about a definition beside its properties. */
import type { Json, JsonObject } from "#lib/json.ts";

export interface CheckedDefinition {
  /** Where errors place it, such as `resources.web`. */
  readonly place: string;
  /** The same for its properties, such as `resources.web.properties`. */
  readonly propertiesPlace: string;
  /** Resolved, with the defaults of the schema. */
  readonly updatePolicy: JsonObject;
  /** Whether another resource of the template has this name. */
  isResource(name: string): boolean;
  /** Whether it depends on the resource of this name. */
  requires(name: string): boolean;
}

/** An error of another class than StackValidationFailed, such as ResourcePropertyConflict. */
interface OtherFailure {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

/** A text is that of a StackValidationFailed. Null: nothing is wrong. */
export type Problem = string | OtherFailure | null;

/** Reads one property, whose constraints are not checked. Undefined: it has no value. */
export type ReadProperty = (key: string) => Json | undefined;
