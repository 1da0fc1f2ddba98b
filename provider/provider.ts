/**
 * The interface between Hearth and a provider of resource types, in its versions 1 and 2. All that
 * goes in and out is plain data. Nothing here depends on Hearth.
 */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** What the module of a plug-in exports as its default. */
export interface Provider {
  /**
   * The version of this interface. Version 2 adds suspend, resume, snapshot, restore and
   * repairable.
   */
  readonly provider: 1 | 2;
  /** Errors name the provider by it. */
  readonly name: string;
  /** By the name that templates use, such as `My::File`. */
  readonly types: Readonly<Record<string, ProvidedType>>;
}

/** Bounds are inclusive. An absent bound is open. */
export interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

export type PropertyConstraint =
  | { readonly range: Bounds }
  /** Of a text in characters, of a list in items, of a map in members. */
  | { readonly length: Bounds }
  | { readonly allowedValues: readonly Json[] }
  /** A regular expression that the whole text matches. */
  | { readonly allowedPattern: string };

export interface PropertySchema {
  readonly type: "string" | "integer" | "number" | "boolean" | "list" | "map" | "any";
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  readonly default?: Json | undefined;
  /** `update` can change the property in place. Otherwise a change replaces the resource. */
  readonly updateAllowed?: boolean | undefined;
  /** The property can never be changed: an update of the stack that does is refused. */
  readonly immutable?: boolean | undefined;
  /** No error and no log shows its value. */
  readonly secret?: boolean | undefined;
  readonly constraints?: readonly PropertyConstraint[] | undefined;
  /** For a list: the schema of its items. */
  readonly items?: PropertySchema | undefined;
  /** For a map: its members. Absent: any members. */
  readonly schema?: PropertySchemas | undefined;
}

export type PropertySchemas = Readonly<Record<string, PropertySchema>>;

export interface AttributeSchema {
  readonly description?: string | undefined;
  /** Absent: a value of any type. */
  readonly type?: "string" | "integer" | "boolean" | "list" | "map" | undefined;
  /** Shown as ****** unless a request names the attribute. */
  readonly hidden?: boolean | undefined;
}

/**
 * What the provider does when a call comes again with its token, because its answer was lost.
 * "kept": it makes nothing twice, for as long as the object exists. A window: the same, but only
 * for so long after the first call. Later `find` is asked. "searchable": it ignores the token, and
 * `find` finds what a call has made. "ignored": nobody can tell, and a user is asked.
 */
export type TokenPolicy = "kept" | { readonly windowSeconds: number } | "searchable" | "ignored";

export type Action = "CREATE" | "UPDATE" | "DELETE" | "CHECK" | "SUSPEND" | "RESUME" | "SNAPSHOT";

/** The data of one call. */
export interface Call {
  /** Names the operation. It is the same each time that the operation is asked for again. */
  readonly token: string;
  /** What the operation does. `poll`, `find` and `cancel` belong to one too. */
  readonly action: Action;
  readonly tenant: string;
  readonly stackId: string;
  readonly stackName: string;
  /** Of this version of the resource. A replacement has another one. */
  readonly resourceId: string;
  /** In the template. */
  readonly resourceName: string;
  /** Null until the provider has given one. */
  readonly physicalId: string | null;
  /** Checked by the schema, with its defaults. */
  readonly properties: JsonObject;
  /** Those of the last success. Null: there was none. */
  readonly previousProperties: JsonObject | null;
  /**
   * In an UPDATE: the operation before this one has failed, or the last check has. So the object
   * may have more or less than `previousProperties`.
   */
  readonly repairs?: boolean | undefined;
  /** The latest end of the operation, in milliseconds since 1970. */
  readonly deadline: number;
  /** Aborted when nobody waits for this call any more. Its operation is then asked for again. */
  readonly signal: AbortSignal;
}

export interface ObjectCall extends Call {
  readonly physicalId: string;
}

/** Of an operation that has answered `waiting`. */
export interface WaitingCall extends ObjectCall {
  readonly handle: string;
}

/** The operation has succeeded. */
export interface Finished {
  readonly state: "finished";
  /** CREATE must give it. It stays if it is absent. */
  readonly physicalId?: string | undefined;
  /** Absent: they stay as they are. */
  readonly attributes?: JsonObject | undefined;
}

/** The operation goes on. `poll` is asked how far it is. */
export interface Waiting {
  readonly state: "waiting";
  /** It leads to the object from now on, even if the operation is never asked about again. */
  readonly physicalId: string;
  /** What `poll` gets. Absent: the token. */
  readonly handle?: string | undefined;
  /** Absent: five seconds. */
  readonly pollAfterSeconds?: number | undefined;
}

/** The operation has failed. A thrown error says the same, and has no physical id. */
export interface Failed {
  readonly state: "failed";
  readonly reason: string;
  /** If something was made all the same, a delete of the resource gets this. */
  readonly physicalId?: string | undefined;
  /** Of a CHECK: what has become of the object. Absent: the check could not tell. */
  readonly health?: FoundHealth | undefined;
}

/**
 * What the next update of the stack does about an object. "differs": `update` is called with
 * `repairs`, and a type without it replaces the object. "stopped": `resume` starts it, unless the
 * stack is suspended. "beyond repair": another object takes its place, and this one is deleted.
 * What has no health is never replaced for it.
 */
export type FoundHealth = (typeof FOUND_HEALTHS)[number];
export const FOUND_HEALTHS = ["differs", "stopped", "beyond repair"] as const;

/** Nothing was done. The call comes again with the same token. */
export interface Throttled {
  readonly state: "throttled";
  /** A wish. Hearth waits for half a second at first, and then longer each time. */
  readonly afterSeconds?: number | undefined;
  /** What a user sees meanwhile. */
  readonly reason?: string | undefined;
}

/** The object is not there. That ends a DELETE, replaces in an UPDATE and fails other actions. */
export interface Gone {
  readonly state: "gone";
}

/** This change cannot be made in place: another resource takes the place of this one. */
export interface Replace {
  readonly state: "replace";
}

export type Answer = Finished | Waiting | Failed | Throttled | Gone | Replace;

/** One type. All functions but `create` and `delete` may be absent. */
export interface ProvidedType {
  readonly description: string;
  readonly properties: PropertySchemas;
  readonly attributes?: Readonly<Record<string, AttributeSchema>> | undefined;
  readonly tokens: TokenPolicy;
  /**
   * The properties that name an object, if there is never a second one with the same values of all
   * of them. Another object is made before the former one is deleted. So a replacement that keeps
   * the name is refused before `create` is called. Absent: two objects can have the same name, or
   * `create` gives a replacement the object of the name.
   */
  readonly uniqueBy?: readonly string[] | undefined;
  /** The longest that one call may take. Absent: 30 seconds. At most 60. */
  readonly callSecondsMax?: number | undefined;
  /** The longest that an operation may take with its polls. Absent: a day. */
  readonly operationSecondsMax?: number | undefined;
  readonly create: (call: Call) => Promise<Answer>;
  /** Absent: each change replaces the resource. It may be called again after it has succeeded. */
  readonly update?: ((call: ObjectCall) => Promise<Answer>) | undefined;
  /**
   * After a failed change in place, `update` is called again: for the next change, or back. It
   * reads the object and applies what differs, or answers `replace` if the object is of no use.
   * Absent: another resource takes the place of the failed one. One whose creation has failed is
   * always replaced. A failed check is no failed change: its `health` says what is done.
   */
  readonly repairable?: boolean | undefined;
  /** It may be called again after it has succeeded. */
  readonly delete: (call: ObjectCall) => Promise<Answer>;
  /** Looks whether the object is there, and reads its attributes. */
  readonly check?: ((call: ObjectCall) => Promise<Answer>) | undefined;
  /** Stops the object. It may be called again after it has succeeded. Absent: nothing happens. */
  readonly suspend?: ((call: ObjectCall) => Promise<Answer>) | undefined;
  /** Starts it again, under the same rules. */
  readonly resume?: ((call: ObjectCall) => Promise<Answer>) | undefined;
  /**
   * Keeps what the object has now. Its attributes, which must name what was kept, go into the
   * snapshot of the stack. A call that is repeated with its token keeps nothing twice.
   */
  readonly snapshot?: ((call: ObjectCall) => Promise<Answer>) | undefined;
  /**
   * A stack that is restored gets the property on the left from the attribute on the right, as
   * `snapshot` has given it.
   */
  readonly restore?: Readonly<Record<string, string>> | undefined;
  /** For operations that answer `waiting`. */
  readonly poll?: ((call: WaitingCall) => Promise<Answer>) | undefined;
  /** Finds what an earlier CREATE with this token has made. Null: it has made nothing. */
  readonly find?: ((call: Call) => Promise<Answer | null>) | undefined;
  /**
   * Ends an operation that has answered `waiting`, before a delete of its object or at its
   * deadline. Absent: a delete waits for the end of the operation.
   */
  readonly cancel?: ((call: ObjectCall) => Promise<void>) | undefined;
  /** For the contract kit: the physical ids of all objects there are. */
  readonly list?: ((properties: JsonObject) => Promise<readonly string[]>) | undefined;
  /**
   * For `hearth doctor --objects`: all objects of the type that carry Hearth's mark and name this
   * project, whatever Hearth knows of them.
   */
  readonly marked?: ((tenant: string) => Promise<readonly MarkedObject[]>) | undefined;
}

/** What an object's labels or tags say. A mark that has no room for a name leaves it out. */
export interface MarkedObject {
  readonly physicalId: string;
  readonly stackId?: string | undefined;
  readonly stackName?: string | undefined;
  readonly resourceName?: string | undefined;
}
