/**
 * The interface between Hearth and a provider of resource types. Arguments and answers are plain
 * data (docs/write-a-provider.md).
 */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export interface Provider {
  /** Version 2 adds suspend, resume, snapshot, restore, repairable and uniqueBy. */
  readonly provider: 1 | 2;
  readonly name: string;
  /** The keys are the names that templates use, such as `My::File`. */
  readonly types: Readonly<Record<string, ProvidedType>>;
}

/** Bounds are inclusive. An absent bound is open. */
export interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

export type PropertyConstraint =
  | { readonly range: Bounds }
  /** Counts the characters of a text, the items of a list or the members of a map. */
  | { readonly length: Bounds }
  | { readonly allowedValues: readonly Json[] }
  /** A regular expression that must match the whole text. */
  | { readonly allowedPattern: string };

export interface PropertySchema {
  readonly type: "string" | "integer" | "number" | "boolean" | "list" | "map" | "any";
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  readonly default?: Json | undefined;
  /** `update` can change the property in place. Otherwise a change replaces the resource. */
  readonly updateAllowed?: boolean | undefined;
  /** Hearth refuses a stack update that changes the property. */
  readonly immutable?: boolean | undefined;
  /** Errors and logs never show the value. */
  readonly secret?: boolean | undefined;
  readonly constraints?: readonly PropertyConstraint[] | undefined;
  readonly items?: PropertySchema | undefined;
  /** The members of a map. If absent, any members are allowed. */
  readonly schema?: PropertySchemas | undefined;
}

export type PropertySchemas = Readonly<Record<string, PropertySchema>>;

export interface AttributeSchema {
  readonly description?: string | undefined;
  readonly type?: "string" | "integer" | "boolean" | "list" | "map" | undefined;
  /** Responses show ****** unless the request names the attribute. */
  readonly hidden?: boolean | undefined;
}

/**
 * What happens if Hearth repeats a call with its token because the answer was lost.
 * "kept": the token makes one object, for as long as that object exists.
 * `windowSeconds`: the same, for that long after the first call. Then Hearth calls `find`.
 * "searchable": the provider ignores the token, but `find` finds what a call has made.
 * "ignored": nobody can find out, so Hearth asks a user.
 */
export type TokenPolicy = "kept" | { readonly windowSeconds: number } | "searchable" | "ignored";

export type Action = "CREATE" | "UPDATE" | "DELETE" | "CHECK" | "SUSPEND" | "RESUME" | "SNAPSHOT";

export interface Call {
  /** Identifies the operation. A repeated call has the same token. */
  readonly token: string;
  readonly action: Action;
  readonly tenant: string;
  readonly stackId: string;
  readonly stackName: string;
  /** Identifies one version of the resource. Its replacement has another id. */
  readonly resourceId: string;
  readonly resourceName: string;
  /** Null until the provider has returned a physical id. */
  readonly physicalId: string | null;
  /** Checked by the schema, with defaults filled in. */
  readonly properties: JsonObject;
  /** The properties of the last successful create or update, or null if none has succeeded. */
  readonly previousProperties: JsonObject | null;
  /** For UPDATE: the last operation or check failed, so the object may differ from that success. */
  readonly repairs?: boolean | undefined;
  /** When the operation must have ended, in milliseconds since 1970. */
  readonly deadline: number;
  /** Aborted when nobody waits for this call any more. Hearth then repeats it. */
  readonly signal: AbortSignal;
}

export interface ObjectCall extends Call {
  readonly physicalId: string;
}

export interface WaitingCall extends ObjectCall {
  readonly handle: string;
}

export interface Finished {
  readonly state: "finished";
  /** Required for CREATE. Without it the id stays the same. */
  readonly physicalId?: string | undefined;
  readonly attributes?: JsonObject | undefined;
}

export interface Waiting {
  readonly state: "waiting";
  /** Must identify the object from now on, even if `poll` is never called. */
  readonly physicalId: string;
  /** Passed to `poll`. The default is the token. */
  readonly handle?: string | undefined;
  /** The default is 5 seconds. */
  readonly pollAfterSeconds?: number | undefined;
}

/** The operation has failed. A thrown error means the same, but cannot contain a physical id. */
export interface Failed {
  readonly state: "failed";
  readonly reason: string;
  /** If an object exists all the same, the delete of the resource gets this id. */
  readonly physicalId?: string | undefined;
  /** For CHECK only: the state of the object. If absent, the check could not find out. */
  readonly health?: FoundHealth | undefined;
}

/**
 * What the next update of the stack does about an object.
 * "differs": calls `update` with `repairs`; a type without `update` replaces the object.
 * "stopped": calls `resume`, unless the stack is suspended.
 * "beyond repair": makes another object and deletes this one.
 * Hearth never replaces an object whose check gives no health.
 */
export type FoundHealth = (typeof FOUND_HEALTHS)[number];
export const FOUND_HEALTHS = ["differs", "stopped", "beyond repair"] as const;

/** The call had no effect. Hearth repeats it later with the same token. */
export interface Throttled {
  readonly state: "throttled";
  /** A suggestion only. Hearth first waits for half a second, and then longer each time. */
  readonly afterSeconds?: number | undefined;
  readonly reason?: string | undefined;
}

/** The object does not exist. This ends a DELETE, replaces in an UPDATE and fails other actions. */
export interface Gone {
  readonly state: "gone";
}

export interface Replace {
  readonly state: "replace";
}

export type Answer = Finished | Waiting | Failed | Throttled | Gone | Replace;

/**
 * One resource type. Hearth may repeat a call that has succeeded, because its answer was lost.
 * `tokens` says what a repeated CREATE does. All other functions must allow it.
 */
export interface ProvidedType {
  readonly description: string;
  readonly properties: PropertySchemas;
  readonly attributes?: Readonly<Record<string, AttributeSchema>> | undefined;
  readonly tokens: TokenPolicy;
  /**
   * The properties that together name an object, if a second object with the same values cannot
   * exist. Hearth creates a replacement before it deletes the old object. So it refuses a
   * replacement that keeps the name, without calling `create`. Leave this out if `create` gives the
   * existing object of that name to the replacement.
   */
  readonly uniqueBy?: readonly string[] | undefined;
  /** How long one call may take: 30 seconds by default, at most 60. */
  readonly callSecondsMax?: number | undefined;
  /** Includes the polls. A day is the default and the maximum. */
  readonly operationSecondsMax?: number | undefined;
  readonly create: (call: Call) => Promise<Answer>;
  /** Without `update` every change replaces the resource. */
  readonly update?: ((call: ObjectCall) => Promise<Answer>) | undefined;
  /**
   * After a failed change Hearth calls `update` again, for the next change or for the rollback.
   * `update` must then compare with the object itself, or answer `replace` if the object is of no
   * use. Without `repairable` the failed resource is replaced. A resource whose creation has failed
   * is always replaced. A failed check is not a failed change: its `health` decides.
   */
  readonly repairable?: boolean | undefined;
  readonly delete: (call: ObjectCall) => Promise<Answer>;
  readonly check?: ((call: ObjectCall) => Promise<Answer>) | undefined;
  /** Without `suspend` nothing happens. */
  readonly suspend?: ((call: ObjectCall) => Promise<Answer>) | undefined;
  readonly resume?: ((call: ObjectCall) => Promise<Answer>) | undefined;
  /**
   * Saves what the object contains now. The attributes must name what was saved. Hearth stores them
   * in the snapshot of the stack. A repeated call with the same token must not save it twice.
   */
  readonly snapshot?: ((call: ObjectCall) => Promise<Answer>) | undefined;
  /** By property: the attribute of `snapshot` that a restored stack gets as its value. */
  readonly restore?: Readonly<Record<string, string>> | undefined;
  readonly poll?: ((call: WaitingCall) => Promise<Answer>) | undefined;
  /** Finds what an earlier CREATE with this token has made, and answers null if it made nothing. */
  readonly find?: ((call: Call) => Promise<Answer | null>) | undefined;
  /**
   * Ends an operation that has answered `waiting`, before its object is deleted or at its deadline.
   * Without `cancel` a delete waits for the operation to end.
   */
  readonly cancel?: ((call: ObjectCall) => Promise<void>) | undefined;
  /** For the contract kit: the physical ids of all existing objects. */
  readonly list?: ((properties: JsonObject) => Promise<readonly string[]>) | undefined;
  /**
   * For `hearth doctor --objects`: all objects of the type whose mark names this project, including
   * objects that Hearth has no record of.
   */
  readonly marked?: ((tenant: string) => Promise<readonly MarkedObject[]>) | undefined;
}

/** What the labels or tags of an object say. A member is absent if the mark has no room for it. */
export interface MarkedObject {
  readonly physicalId: string;
  readonly stackId?: string | undefined;
  readonly stackName?: string | undefined;
  readonly resourceName?: string | undefined;
}
