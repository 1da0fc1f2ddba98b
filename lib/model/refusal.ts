/** Why a resource type refuses properties that its schemas allow. */
import type { JsonObject } from "#lib/json.ts";

/** An error of Heat's with a name of its own. */
export interface NamedRefusal {
  /** Heat's exception class, such as ResourcePropertyConflict. Clients see it. */
  readonly code: string;
  readonly message: string;
}

/** A text alone is Heat's StackValidationFailed. */
export type Refusal = string | NamedRefusal;

/** What a check may see of a definition besides its properties. */
export interface CheckedDefinition {
  readonly name: string;
  /** The section as it is written, with its calls. */
  readonly metadata: JsonObject;
  /** `resources.server`, or `Resources.server`. */
  readonly place: string;
  /** The key of the properties in a definition: `properties`, or `Properties`. */
  readonly propertiesKey: string;
}
