/**
 * What a resource type declares: Heat's plug-in interface, with answers as data. A handler starts
 * an operation and never sleeps; `checkComplete` asks whether the operation has ended. A type gets
 * its provider from its factory (docs/adr/0012).
 */
import type { Json, JsonObject } from "#lib/json.ts";
import type { OperationAction } from "#lib/model/action.ts";
import type { CheckedDefinition, Problem, ReadProperty } from "#lib/model/checked-definition.ts";
import type { PropertySchemas, SupportStatus, Translation } from "#lib/model/property-schema.ts";
import type { Finding, Resource } from "#lib/model/resource.ts";
import type { ConfigContent } from "#lib/model/software-config.ts";
import type { MarkedObject } from "#provider/provider.ts";
import type { Nests } from "./nesting.ts";
import type { Blobs, Clock, Ids } from "./ports.ts";

/**
 * What the provider does with the token of a call (P14). "kept": it never forgets the token, or
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
  readonly resourceData: JsonObject;
  readonly resources?: Readonly<Record<string, AdoptedResource>> | undefined;
  /** The result of `Adoption.describe`. Documents that Heat wrote do not contain it. */
  readonly state?: JsonObject | undefined;
}

export interface ProviderCall {
  readonly tenant: string;
  readonly stackId: string;
  readonly stackName: string;
  readonly resourceId: string;
  readonly resourceName: string;
  readonly templateId: string;
  readonly action: OperationAction;
  /** Identifies the operation for the provider. Its last part is `generation`. */
  readonly token: string;
  readonly generation: number;
  readonly physicalResourceId: string | null;
  /**
   * Resolved and coerced by the type's schema. DELETE, SUSPEND, RESUME and CHECK get the properties
   * of the last success, or of the failed attempt.
   */
  readonly properties: JsonObject;
  readonly adopted?: AdoptedResource;
  readonly previousProperties: JsonObject | null;
  /**
   * In UPDATE, the previous operation or a check failed, so the object may have other properties.
   */
  readonly repairs?: true;
  /**
   * In UPDATE, the object may differ from its properties, or the user wants a deployment to run
   * again.
   */
  readonly mendsDrift?: true;
  /** An earlier worker may have made this call already. */
  readonly isRepeated?: true;
  /** The latest end of the operation, in milliseconds since 1970. */
  readonly deadline: number;
  readonly abandonsUnreachable: boolean;
}

export type Progress =
  | {
      readonly state: "finished";
      readonly physicalResourceId?: string | null;
      readonly attributes?: JsonObject;
      readonly refId?: string;
      readonly note?: string;
      readonly isOff?: true;
    }
  | {
      readonly state: "waiting";
      /** Must not contain a secret: rows and messages store it unsealed (P26). */
      readonly handle: string;
      readonly pollAfterMs: number;
      /**
       * Needed from the first answer on, because only this id leads to the object if the operation
       * is ended early. If the provider assigns its id later, the type derives one from the token.
       * DELETE then uses it to find even an object that does not exist yet: it waits for the
       * object, or fails.
       */
      readonly physicalResourceId: string;
    }
  | {
      readonly state: "failed";
      readonly reason: string;
      /**
       * Heat's exception class, as in `ValueError: resources.x: …`. The default is Error. An empty
       * text omits the class.
       */
      readonly errorType?: string;
      readonly below?: string;
      readonly physicalResourceId?: string;
      readonly attributes?: JsonObject;
      readonly health?: Finding;
      /** The call may have had its effect all the same (P18). */
      readonly outcomeUnknown?: true;
    }
  | { readonly state: "replace"; readonly isGone?: true };

export type Interruption = "overtaken" | "timed out" | "given up";

export type Handler = (call: ProviderCall, context: ResourceContext) => Promise<Progress>;

export interface AttributeSchema {
  readonly description?: string;
  readonly type?: "string" | "integer" | "boolean" | "list" | "map";
  readonly support?: SupportStatus;
  /** Shown as ****** unless the request names the attribute. */
  readonly hidden?: boolean;
}

/** What templates and clients see of a type. All functions here are pure. */
export interface ResourceSchema {
  readonly description: string;
  readonly support?: SupportStatus;
  readonly properties: PropertySchemas | "any";
  readonly translations?: readonly Translation[];
  /**
   * Together these properties name an object at a provider that allows each name once. So no
   * replacement can be created while the old object has the name.
   */
  readonly uniqueBy?: readonly string[];
  readonly propertiesAreParameters?: true;
  /**
   * Heat reads these properties when it creates the resource's Python object, before it validates a
   * template. It refuses a wrong value then, even where it does not validate values.
   */
  readonly readWhenMade?: readonly string[];
  readonly templateName?: string;
  readonly attributes: Readonly<Record<string, AttributeSchema>> | "any";
  /** The engine neither validates nor resolves the definition, and the handlers do not see it. */
  readonly ignoresDefinition?: boolean;
  readonly commonAttributes?: Readonly<Record<string, AttributeSchema>>;
  readonly updatePolicy?: PropertySchemas;
  readonly mustReplace?: (
    before: JsonObject,
    after: JsonObject,
    changed: readonly string[],
  ) => boolean;
  readonly isReplacedByUpdate?: (after: JsonObject) => boolean;
  /**
   * Checks what the property schemas cannot express. As in Heat, a value that waits for another
   * resource is empty here.
   */
  readonly validate?: (
    properties: JsonObject,
    resourceName: string,
    definition: CheckedDefinition,
  ) => Problem;
  readonly validateFirst?: (read: ReadProperty, definition: CheckedDefinition) => Problem;
  /**
   * Set if the handlers read the definition's metadata section, so that a change of the section
   * changes the resource. Checks the unresolved section.
   * @returns the text of the error, or null.
   */
  readonly readsMetadata?: (metadata: JsonObject) => string | null;
  readonly isNamelessBeforeCreate?: boolean;
  /** The schemas by which a preview shows the properties, if these properties change them. */
  readonly previewed?: (properties: JsonObject) => PropertySchemas;
  readonly attribute?: (stored: JsonObject, name: string) => Json | undefined;
  readonly initialAttribute?: (
    name: string,
    properties: JsonObject,
    isResource: (reference: string) => boolean,
  ) => Json | undefined;
  readonly currentAttribute?: (name: string, row: Resource) => Json | undefined;
}

export const namedAttributes = ({
  attributes,
  commonAttributes = {},
}: ResourceSchema): Readonly<Record<string, AttributeSchema>> =>
  attributes === "any" ? commonAttributes : attributes;

export interface Lifecycle {
  readonly tokenPolicy: TokenPolicy;
  /** The longest time of one provider call. The lease must be longer. */
  readonly callMsMax: number;
  readonly operationMsMax: number;
  /**
   * A FAILED row is created or updated again in place, and its health never replaces it. "changes"
   * means only a row whose object was created. Without it, another row replaces a FAILED row.
   */
  readonly repairable?: true | "changes";
  /**
   * The provider refuses to delete an object while another operation runs on it, so the delete
   * waits for the end of that operation (P25).
   */
  readonly deleteWaits?: true;
  readonly replacedByEveryUpdate?: true;
  readonly updateMendsDrift?: true;
  /**
   * An update may ask for a replacement that the schema does not foresee, and a preview says so.
   * "unknown" means only for values that the preview does not know.
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
   * `checkComplete` has no side effects, so two workers may call it at the same time. Then the
   * first poll of a short wait needs no write (P26).
   */
  readonly onlyLooks?: boolean;
  readonly find?: (call: ProviderCall, context: ResourceContext) => Promise<Progress | null>;
}

/**
 * For operations that wait for something outside, such as an agent or a child stack. Such an
 * operation ends when a newer traversal overtakes it.
 */
export interface Waiting {
  readonly outlivesTraversal?: true;
  /**
   * Withdraws what others see of a waiting operation. The engine calls it before it records why the
   * operation ends, and may repeat the call.
   * @returns what the operation waited for, which the engine adds to the reason, or null.
   */
  readonly abandon?: (
    call: ProviderCall,
    context: ResourceContext,
    why: Interruption,
  ) => Promise<string | null>;
  readonly explainWait?: (row: Resource, context: ResourceContext) => Promise<string | null>;
}

export interface TextUploads {
  readonly handleText: (row: Resource, text: string) => Promise<void>;
}

export interface Signals {
  readonly handleSignal: (row: Resource, details: Json, context: ResourceContext) => Promise<Json>;
  readonly takenAlways?: true;
}

/**
 * An adopted id comes from a user. So a type whose objects are outside of the stack's own records
 * must check the owner of the object, and refuse another project's object.
 */
export interface Adoption {
  readonly handleAdopt: Handler;
  /**
   * Returns what another host needs to adopt the resource and cannot read from a record, or null.
   * The result is in the stack's document in clear text, so it must not contain secrets.
   */
  readonly describe?: (row: Resource) => Promise<JsonObject | null>;
}

export const NO_ADOPTED_ID: Progress = {
  state: "failed",
  reason: "Resource ID was not provided.",
  errorType: "Exception",
};

export interface Snapshots {
  readonly handleSnapshot?: Handler;
  readonly handleRestore?: (properties: JsonObject, resourceData: JsonObject) => JsonObject;
  /**
   * Replaces handleDelete where the deletion policy is Snapshot. Types without this handler refuse
   * templates with that policy.
   */
  readonly handleSnapshotDelete?: Handler;
}

export interface Ignored {
  readonly object?: string;
  readonly properties: Readonly<Record<string, string>>;
}

export interface ResourceType {
  readonly type: string;
  readonly schema: ResourceSchema;
  readonly lifecycle: Lifecycle;
  /**
   * Set if no provider can create such objects. The text says so, and names the type to use
   * instead.
   */
  readonly withoutProvider?: string;
  /** Heat reserves the type for a cloud's administrators, so projects neither see nor create it. */
  readonly isReserved?: true;
  readonly ignores?: Ignored;
  readonly waiting?: Waiting;
  readonly explainRetry?: (row: Pick<Resource, "id">) => string | null;
  /**
   * Lists the objects with Hearth's mark at the provider. Null means that the provider cannot list
   * them, and absent that the type has no objects.
   */
  readonly marked?: ((tenant: string) => Promise<readonly MarkedObject[]>) | null;
  readonly unlisted?: Unlisted;
  readonly nesting?: Nests;
  /**
   * @returns the current attributes when a signal may have changed them since the last operation,
   * or null when the stored ones are current.
   */
  readonly presentAttributes?: (row: Resource) => Promise<JsonObject | null>;
  readonly signals?: Signals;
  readonly textUploads?: TextUploads;
  readonly adoption?: Adoption;
  readonly snapshots?: Snapshots;
  /**
   * A "barrier" only makes other resources wait for each other. Its requirements may be deleted
   * before it, and actions that neither create nor change objects ignore it.
   */
  readonly ordering?: "barrier";
}

/**
 * One of so many types that the provider lists only objects of types that a project's stacks
 * contain.
 */
export interface Unlisted {
  readonly types: string;
  readonly why: string;
  /** Whether the id belongs to a request, which may have created an object with another id. */
  readonly isRequest: (physicalId: string) => boolean;
}

export interface ResourceTypes {
  get(type: string): Promise<ResourceType | null>;
  names(): readonly string[];
  whyMissing?(type: string): string | null;
}

/** What a handler gets besides its call. It has no access to other resources, stores or queues. */
export interface ResourceContext {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly blobs: Pick<Blobs, "put" | "get" | "delete">;
  sealConfig(id: string, content: ConfigContent): Promise<string>;
}
