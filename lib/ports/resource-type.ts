/**
 * What a resource type declares: Heat's plugin interface, with the answers as data. A handler starts
 * an operation and never sleeps; `checkComplete` looks whether it has come to its end.
 */
import type { Json, JsonObject } from "#lib/json.ts";
import type { OperationAction } from "#lib/model/action.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "./ports.ts";

/**
 * What the provider does with a call's token (protocol P14): keeps it for ever (or the object has a
 * unique name made of it), keeps it for a while, lets objects be searched by it, or ignores it.
 */
export type TokenPolicy =
  | { readonly tokens: "kept" }
  | { readonly tokens: "window"; readonly windowMs: number }
  | { readonly tokens: "searchable" }
  | { readonly tokens: "ignored" };

export interface AdoptedResource {
  readonly physicalResourceId: string | null;
  /** Heat's resource_data: here the attributes that the former stack had stored. */
  readonly resourceData: JsonObject;
  /** Of one whose object is a stack: what was in that. */
  readonly resources?: Readonly<Record<string, AdoptedResource>> | undefined;
}

export interface ProviderCall {
  readonly tenant: string;
  readonly stackId: string;
  readonly stackName: string;
  readonly resourceId: string;
  readonly resourceName: string;
  /** The template record of the stack that the operation is of; in DELETE there is nothing in it. */
  readonly templateId: string;
  readonly action: OperationAction;
  /** Names this operation towards the provider; `generation` is its last part. */
  readonly token: string;
  readonly generation: number;
  readonly physicalResourceId: string | null;
  /** Resolved and coerced by the type's schemas. In DELETE, SUSPEND, RESUME and CHECK: those of the last success, or of the failed attempt. */
  readonly properties: JsonObject;
  /** In ADOPT: what the resource was in its former stack; absent where the data does not name it. */
  readonly adopted?: AdoptedResource;
  /** Of the last success; null where there was none. */
  readonly previousProperties: JsonObject | null;
  /** When the operation must have ended, milliseconds since 1970. */
  readonly deadline: number;
}

export type Progress =
  | {
      readonly state: "finished";
      /** Absent: as it was. Null: there is none any more. */
      readonly physicalResourceId?: string | null;
      /** Absent: as they were. */
      readonly attributes?: JsonObject;
      /** What get_resource yields; absent: the physical id. */
      readonly refId?: string;
    }
  | {
      readonly state: "waiting";
      readonly handle: string;
      readonly pollAfterMs: number;
      readonly physicalResourceId?: string;
    }
  | {
      readonly state: "failed";
      readonly reason: string;
      /** The class that Heat's reason names in front, `ValueError: resources.x: …`; absent: Error. */
      readonly errorType?: string;
      readonly physicalResourceId?: string;
      readonly attributes?: JsonObject;
    }
  | { readonly state: "replace" };

/** Why a waiting operation is ended from outside. */
export type Interruption = "overtaken" | "timed out" | "given up";

export type Handler = (call: ProviderCall, ports: Ports) => Promise<Progress>;

export interface AttributeSchema {
  readonly description: string;
  /** Shown as ****** unless asked for by name. */
  readonly hidden?: boolean;
}

/** What a stack of its own is made of, for a type whose object is one. */
export interface Nests {
  /** `typeName` is what the registry maps the definition's type to. Throws a RequestError for a template that cannot be read. */
  readonly read: (
    typeName: string,
    properties: JsonObject,
    files: Readonly<Record<string, string>>,
  ) => {
    readonly template: JsonObject;
    readonly parameters: JsonObject;
    /** Absent: as long as the operation has. */
    readonly timeoutMins?: number;
  };
  /** Where in the definition's unresolved properties the value of a parameter below comes from. */
  readonly snippet: (properties: JsonObject, parameter: string) => Json;
}

export interface ResourceType {
  readonly type: string;
  readonly description: string;
  /** For old templates only: it is in no list. */
  readonly isHidden?: boolean;
  /** "any": every key is allowed, of any value. */
  readonly properties: PropertySchemas | "any";
  readonly attributes: Readonly<Record<string, AttributeSchema>> | "any";
  /** What the update_policy of a definition may say; absent: nothing. */
  readonly updatePolicy?: PropertySchemas;
  readonly tokenPolicy: TokenPolicy;
  /** The longest a single provider call may take: it is sent only while the lease lasts longer. */
  readonly callMsMax: number;
  /** The longest an operation may take, if the stack's deadline does not come first. */
  readonly operationMsMax: number;
  /** Waits for something outside (an agent, a child stack): it ends when its traversal is overtaken. */
  readonly interruptible: boolean;
  /** When FAILED it is created or updated again in place instead of being replaced. */
  readonly repairable: boolean;
  /**
   * The object is a stack of ours, by its id. Every update is handed down to it, since more than the
   * properties may have changed (files, the environment); and its DELETE is waited for whatever overtakes
   * it: what it waits for comes to its end by itself, and ended as done it would leave the stack behind.
   */
  readonly nests?: Nests;
  /**
   * Stands between others only so that they are made and changed one after another. What it depends on
   * may go before it, and actions that make and change nothing pass it by: they know no such order.
   */
  readonly ordersOnly?: boolean;
  /** More than the schemas say about a property change; true replaces. */
  readonly mustReplace?: (
    before: JsonObject,
    after: JsonObject,
    changed: readonly string[],
  ) => boolean;
  /** What the schemas cannot say; returns the text of the error. `definitions` are the types of the other resources of the template. */
  readonly validate?: (properties: JsonObject, resourceName: string) => string | null;
  /**
   * The metadata section of its definition is what it works with too (its handlers read it with
   * `resolveMetadata`), so a change of that is a change. Returns the text of what is wrong with it, unresolved.
   */
  readonly readsMetadata?: (metadata: JsonObject) => string | null;
  readonly handleCreate?: Handler;
  readonly handleUpdate?: Handler;
  readonly handleDelete?: Handler;
  /** Heat's handle_snapshot_delete: in the place of handleDelete where the deletion policy is Snapshot. Without it a template with that policy is refused. */
  readonly handleSnapshotDelete?: Handler;
  readonly handleSuspend?: Handler;
  readonly handleResume?: Handler;
  readonly handleCheck?: Handler;
  /** Absent: the given id is taken over, and the data as attributes. */
  readonly handleAdopt?: Handler;
  /** Of the stack's action SNAPSHOT; what it answers as attributes is in the snapshot's resource_data. */
  readonly handleSnapshot?: Handler;
  /** The properties with which a restored resource is to be updated, out of those of the snapshot's template and the snapshot's resource_data. */
  readonly handleRestore?: (properties: JsonObject, resourceData: JsonObject) => JsonObject;
  readonly checkComplete?: (call: ProviderCall, handle: string, ports: Ports) => Promise<Progress>;
  /**
   * Called when a waiting operation is ended from outside (overtaken, or past its deadline), before
   * that is recorded: what others can see of the operation is told so. Must be idempotent. What it answers is added to
   * the reason where the time was up: what the operation has waited for.
   */
  readonly abandon?: (
    call: ProviderCall,
    ports: Ports,
    why: Interruption,
  ) => Promise<string | null>;
  /** What the operation of a row waits for, in one line, for whoever looks at this very resource; null: nothing is known. */
  readonly explainWait?: (row: Resource, ports: Ports) => Promise<string | null>;
  /** A new one is made in every update of the stack, whether its properties change or not. */
  readonly replacedByEveryUpdate?: boolean;
  /** Takes a signal to a row of this type; what it returns is the answer to a sender that waits for one. Throws RequestError. */
  readonly handleSignal?: (row: Resource, details: Json, ports: Ports) => Promise<Json>;
  /** Its signals are taken in SUSPEND and DELETE too, where others are refused. */
  readonly signalledAlways?: boolean;
  /** Only for tokens that are searchable or kept for a while: finds what an earlier call of this operation made. */
  readonly find?: (call: ProviderCall, ports: Ports) => Promise<Progress | null>;
  /** The value of an attribute that is not stored, or of one that needs more than the stored map; absent: the stored map decides. */
  readonly attribute?: (stored: JsonObject, name: string) => Json | undefined;
  /** The value of an attribute that is made anew whenever a user reads it; undefined for all others. Templates below hand on what is stored. */
  readonly currentAttribute?: (
    name: string,
    row: Resource,
    ports: Pick<Ports, "signer" | "publicUrl">,
  ) => Json | undefined;
}

/** Every type is found here and nowhere else. */
export interface ResourceTypes {
  get(type: string): ResourceType | null;
  /** Of those that are not hidden. */
  names(): readonly string[];
}
