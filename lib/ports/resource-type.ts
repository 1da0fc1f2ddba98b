/**
 * What a resource type declares: Heat's plugin interface, with answers as data. A handler starts an
 * operation and never sleeps. `checkComplete` looks whether the operation has ended.
 * A type closes over the back-end that its factory declares (docs/adr/0012).
 */
import type { Json, JsonObject } from "#lib/json.ts";
import type { OperationAction } from "#lib/model/action.ts";
import type { CheckedDefinition, Problem, ReadProperty } from "#lib/model/checked-definition.ts";
import type { Finding } from "#lib/model/health.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { SupportStatus } from "#lib/model/support-status.ts";
import type { Translation } from "#lib/model/translation.ts";
import type { MarkedObject } from "#provider/provider.ts";
import type { Nests } from "./nesting.ts";
import type { ResourceContext } from "./resource-context.ts";

/**
 * What the provider does with a call's token (protocol P14). "kept": it never forgets the token, or
 * names the object after it. "window": it forgets the token after a while. "searchable": it ignores
 * the token, but objects can be found by it. "ignored": the outcome of a lost call stays unknown.
 */
export type TokenPolicy =
  | { readonly tokens: "kept" }
  | { readonly tokens: "window"; readonly windowMs: number }
  | { readonly tokens: "searchable" }
  | { readonly tokens: "ignored" };

export interface AdoptedResource {
  readonly physicalResourceId: string | null;
  /** Heat's resource_data: the attributes that the former stack had stored. */
  readonly resourceData: JsonObject;
  /** The resources of the former nested stack, where the object is a stack. */
  readonly resources?: Readonly<Record<string, AdoptedResource>> | undefined;
  /** What `Adoption.describe` has told of it. Heat's documents have none. */
  readonly state?: JsonObject | undefined;
}

/** The data of one operation. Only values: what a handler can do with them is in its context. */
export interface ProviderCall {
  readonly tenant: string;
  readonly stackId: string;
  readonly stackName: string;
  readonly resourceId: string;
  readonly resourceName: string;
  /** The template record that the operation brings the stack to. In DELETE it is empty. */
  readonly templateId: string;
  readonly action: OperationAction;
  /** The provider knows this operation by it. Its last part is `generation`. */
  readonly token: string;
  readonly generation: number;
  readonly physicalResourceId: string | null;
  /**
   * Resolved, and coerced by the type's schema. In DELETE, SUSPEND, RESUME and CHECK they are those
   * of the last success, or of the failed attempt.
   */
  readonly properties: JsonObject;
  /** In ADOPT: the resource in its former stack. Absent where the adopt data does not name it. */
  readonly adopted?: AdoptedResource;
  /** The properties of the last success. Null: there was none. */
  readonly previousProperties: JsonObject | null;
  /**
   * In UPDATE: the operation before has failed, or a check has. So the object may have other
   * properties.
   */
  readonly repairs?: true;
  /** In UPDATE: the object differs or may, or its user wants a deployment to run again. */
  readonly mendsDrift?: true;
  /** An earlier worker may have made this call already. */
  readonly isRepeated?: true;
  /** The latest end of the operation, milliseconds since 1970. */
  readonly deadline: number;
  /** In DELETE: its user does not want to wait for servers that cannot be reached. */
  readonly abandonsUnreachable: boolean;
}

export type Progress =
  | {
      readonly state: "finished";
      /** Absent: unchanged. Null: the object is gone. */
      readonly physicalResourceId?: string | null;
      /** Absent: unchanged. */
      readonly attributes?: JsonObject;
      /** What get_resource returns. Absent: the physical id. */
      readonly refId?: string;
      /** The status reason, if there is more to say than that the state changed. */
      readonly note?: string;
      /** Of a CHECK: the object is off, as it should be, so nothing else of it was looked at. */
      readonly isOff?: true;
    }
  | {
      readonly state: "waiting";
      /** Not sealed where it is stored, nor in messages (protocol P26): never a secret. */
      readonly handle: string;
      readonly pollAfterMs: number;
      /**
       * From the first answer on. An operation can be ended before its own end. Then only this id
       * leads to the object. If the provider tells its id later, the type makes one of the token.
       * DELETE finds by it even what is still to come: it waits for that, or fails.
       */
      readonly physicalResourceId: string;
    }
  | {
      readonly state: "failed";
      readonly reason: string;
      /** Heat's exception class, as in `ValueError: resources.x: …`. Absent: Error. Empty: none. */
      readonly errorType?: string;
      /** What has failed in a nested stack, such as `resources.y`. */
      readonly below?: string;
      readonly physicalResourceId?: string;
      readonly attributes?: JsonObject;
      /** Of a CHECK: what it has found. Gone: of SUSPEND and RESUME too. Absent: unknown. */
      readonly health?: Finding;
      /** The call may have had its effect all the same (P18). */
      readonly outcomeUnknown?: true;
    }
  /** Another object takes the place of this one. `isGone`: it is not there any more. */
  | { readonly state: "replace"; readonly isGone?: true };

/** Why the engine ends a waiting operation. */
export type Interruption = "overtaken" | "timed out" | "given up";

export type Handler = (call: ProviderCall, context: ResourceContext) => Promise<Progress>;

export interface AttributeSchema {
  /** Absent: Heat's type is a template, whose outputs have none. */
  readonly description?: string;
  /** As Heat shows it. Absent: a value of any type. */
  readonly type?: "string" | "integer" | "boolean" | "list" | "map";
  readonly support?: SupportStatus;
  /** Shown as ****** unless the request names the attribute. */
  readonly hidden?: boolean;
}

/** What templates and clients see of a type. Everything here is pure. */
export interface ResourceSchema {
  readonly description: string;
  /** Absent: SUPPORTED, since the first release of Heat. */
  readonly support?: SupportStatus;
  /** "any": every key is allowed, of any value. */
  readonly properties: PropertySchemas | "any";
  /** How old names of properties are read. Handlers and `validate` see the new names. */
  readonly translations?: readonly Translation[];
  /**
   * Together they name an object, and its provider has one of the name. So no replacement can be
   * made while the old object has the same name.
   */
  readonly uniqueBy?: readonly string[];
  /** The properties are the parameters of a template, which has only what a definition gives. */
  readonly propertiesAreParameters?: true;
  /**
   * Properties that Heat reads when it makes its object, before any check of a template.
   * Where values are not checked, a wrong one is refused there.
   */
  readonly readWhenMade?: readonly string[];
  /** What a template of the type calls its resource: Heat's class. Absent: the type's end. */
  readonly templateName?: string;
  readonly attributes: Readonly<Record<string, AttributeSchema>> | "any";
  /** The engine neither checks nor resolves what a definition says. The handlers see nothing. */
  readonly ignoresDefinition?: boolean;
  /** If `attributes` is "any": those that each resource of the type has. */
  readonly commonAttributes?: Readonly<Record<string, AttributeSchema>>;
  /** What a definition's update_policy may contain. Absent: nothing. */
  readonly updatePolicy?: PropertySchemas;
  /** Whether a change of these properties replaces the resource, beside what the schemas say. */
  readonly mustReplace?: (
    before: JsonObject,
    after: JsonObject,
    changed: readonly string[],
  ) => boolean;
  /** Whether every update to these properties replaces the resource, even if none has changed. */
  readonly isReplacedByUpdate?: (after: JsonObject) => boolean;
  /**
   * Checks what the property schemas cannot say. As in Heat, a value that waits for another
   * resource is empty here.
   */
  readonly validate?: (
    properties: JsonObject,
    resourceName: string,
    definition: CheckedDefinition,
  ) => Problem;
  /** The same for checks that Heat makes before it looks at the schemas. */
  readonly validateFirst?: (read: ReadProperty, definition: CheckedDefinition) => Problem;
  /**
   * Present: the handlers read the definition's metadata section, so a change of it is a change of
   * the resource. Checks the unresolved section and returns the error's text.
   */
  readonly readsMetadata?: (metadata: JsonObject) => string | null;
  /** Before a resource exists, get_resource is null instead of its name. */
  readonly isNamelessBeforeCreate?: boolean;
  /** An attribute that is computed from the stored ones. Undefined or absent: the stored value. */
  readonly attribute?: (stored: JsonObject, name: string) => Json | undefined;
  /**
   * What an attribute shows before the resource exists. Undefined or absent: null. `isResource`
   * knows the other resources, whose references are still their names.
   */
  readonly initialAttribute?: (
    name: string,
    properties: JsonObject,
    isResource: (reference: string) => boolean,
  ) => Json | undefined;
  /** An attribute that is made anew for each reader. Templates get the stored value instead. */
  readonly currentAttribute?: (name: string, row: Resource) => Json | undefined;
}

/** The attributes that a resource of the type is known to have. */
export const namedAttributes = ({
  attributes,
  commonAttributes = {},
}: ResourceSchema): Readonly<Record<string, AttributeSchema>> =>
  attributes === "any" ? commonAttributes : attributes;

/** How an object is made, changed and removed. */
export interface Lifecycle {
  readonly tokenPolicy: TokenPolicy;
  /** The longest that one provider call may take: the lease must outlast it. */
  readonly callMsMax: number;
  /** The longest that an operation may take, if the stack's deadline does not come first. */
  readonly operationMsMax: number;
  /**
   * A FAILED row is created or updated again in place, and its health replaces it never. "changes":
   * only one that was made. Absent: another row replaces it.
   */
  readonly repairable?: true | "changes";
  /**
   * The provider refuses to delete an object while something else is done with it. So a delete
   * waits for the end of that (protocol P25). Absent: it deletes the object at once.
   */
  readonly deleteWaits?: true;
  /** Every update of the stack replaces the resource, whether its properties change or not. */
  readonly replacedByEveryUpdate?: true;
  /**
   * An update to the same properties brings the object back to them, and replaces one that is gone.
   * So an update that converges asks for it. Absent: what is made is never changed from outside.
   */
  readonly updateMendsDrift?: true;
  /**
   * Its update may ask for a replacement that its schema does not foresee. A preview says so.
   * "unknown": only for values that the preview does not know.
   */
  readonly updateMayReplace?: true | "unknown";
  readonly handleCreate?: Handler;
  readonly handleUpdate?: Handler;
  readonly handleDelete?: Handler;
  readonly handleSuspend?: Handler;
  readonly handleResume?: Handler;
  readonly handleCheck?: Handler;
  readonly checkComplete?: (
    call: ProviderCall,
    handle: string,
    context: ResourceContext,
  ) => Promise<Progress>;
  /**
   * `checkComplete` only looks, so that two workers may ask at the same time. Then the first poll
   * of a short wait costs no write (protocol P26). Absent: what it does, one worker does.
   */
  readonly onlyLooks?: boolean;
  /** Finds what an earlier call of this operation made, for searchable and expiring tokens. */
  readonly find?: (call: ProviderCall, context: ResourceContext) => Promise<Progress | null>;
}

/**
 * For operations that wait for something outside, such as an agent or a child stack. Such an
 * operation ends when a newer traversal overtakes it.
 */
export interface Waiting {
  /**
   * A newer traversal waits for the operation. Only a delete of the object (P25) or the deadline
   * ends it.
   */
  readonly outlivesTraversal?: true;
  /**
   * Withdraws what others see of a waiting operation. The engine calls it before it records why it
   * ends the operation, and may call it again. A text names what the operation waited for. The
   * engine adds it to the reason.
   */
  readonly abandon?: (
    call: ProviderCall,
    context: ResourceContext,
    why: Interruption,
  ) => Promise<string | null>;
  /** One line for a reader of this resource: what its operation waits for. Null: unknown. */
  readonly explainWait?: (row: Resource, context: ResourceContext) => Promise<string | null>;
}

/**
 * For types whose signed URL takes any text, like a temporary URL of Swift. A signal by the API is
 * refused.
 */
export interface TextUploads {
  /** Keeps the text. Throws a RequestError. */
  readonly handleText: (row: Resource, text: string) => Promise<void>;
}

export interface Signals {
  /** Takes a signal. The result answers a sender that waits for one. Throws a RequestError. */
  readonly handleSignal: (row: Resource, details: Json, context: ResourceContext) => Promise<Json>;
  /** Also during SUSPEND and DELETE, where other types refuse signals. */
  readonly takenAlways?: true;
}

/**
 * The id comes from a user. So a type whose objects are outside of the stack's own records asks
 * whose the object is, and refuses another project's.
 */
export interface Adoption {
  /** Absent: the engine takes over the given id, and the data as attributes. */
  readonly handleAdopt: Handler;
  /**
   * What another host needs to adopt the resource, and has no record of. It goes into the document
   * of the stack in clear text. Returns null if there is nothing to tell.
   */
  readonly describe?: (row: Resource) => Promise<JsonObject | null>;
}

/** Heat's answer to adopt data without the id of a resource. */
export const NO_ADOPTED_ID: Progress = {
  state: "failed",
  reason: "Resource ID was not provided.",
  errorType: "Exception",
};

export interface Snapshots {
  /** For the stack's action SNAPSHOT. Its attributes become the snapshot's resource_data. */
  readonly handleSnapshot?: Handler;
  /** The properties that a restored resource is updated to. */
  readonly handleRestore?: (properties: JsonObject, resourceData: JsonObject) => JsonObject;
  /**
   * Replaces handleDelete where the deletion policy is Snapshot. Templates with that policy are
   * refused for types without it.
   */
  readonly handleSnapshotDelete?: Handler;
}

/** What a provider does not honour of a definition. Templates run all the same. */
export interface Ignored {
  /** Present: no object is made. The text says what there is instead. */
  readonly object?: string;
  /** By property, why it has no effect. */
  readonly properties: Readonly<Record<string, string>>;
}

/** One type. A part that is absent means that the type has nothing of that kind. */
export interface ResourceType {
  readonly type: string;
  readonly schema: ResourceSchema;
  readonly lifecycle: Lifecycle;
  /** Present: nothing can make such an object. The text says so, and what to use instead. */
  readonly withoutProvider?: string;
  /** Heat keeps the type for the administrators of a cloud: projects neither see nor make it. */
  readonly isReserved?: true;
  readonly ignores?: Ignored;
  readonly waiting?: Waiting;
  /** Why the call of the row's operation comes again, if this process knows it. One line. */
  readonly explainRetry?: (row: Pick<Resource, "id">) => string | null;
  /** What has Hearth's mark at the provider. Null: it cannot tell. Absent: it has no objects. */
  readonly marked?: ((tenant: string) => Promise<readonly MarkedObject[]>) | null;
  readonly unlisted?: Unlisted;
  readonly nesting?: Nests;
  /**
   * The attributes as they are now, if a signal may have changed them since the last operation.
   * Null: the stored ones are.
   */
  readonly presentAttributes?: (row: Resource) => Promise<JsonObject | null>;
  readonly signals?: Signals;
  readonly textUploads?: TextUploads;
  readonly adoption?: Adoption;
  readonly snapshots?: Snapshots;
  /**
   * "barrier": it only makes others wait for each other. Its requirements may be deleted before it,
   * and actions that make and change nothing ignore it.
   */
  readonly ordering?: "barrier";
}

/**
 * The type is one of so many that the provider is asked only for the objects of those that a stack
 * of the project has.
 */
export interface Unlisted {
  /** How the others are named. */
  readonly types: string;
  readonly why: string;
  /** The row's id is that of a request, which may have made an object with another id. */
  readonly isRequest: (physicalId: string) => boolean;
}

/** Every type is found here and nowhere else. */
export interface ResourceTypes {
  /** May load the type from elsewhere. Null: there is no such type. */
  get(type: string): Promise<ResourceType | null>;
  /** Without the hidden ones. */
  names(): readonly string[];
  /** A sentence for the user of a type that was there once. Returns null if nothing is known. */
  whyMissing?(type: string): string | null;
}
