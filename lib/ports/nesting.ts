/** What a type declares whose object is a nested stack. */
import type { Json, JsonObject } from "#lib/json.ts";
import type { GroupSource, Referenced } from "#lib/model/group-record.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { ProviderCall } from "./resource-type.ts";

/** A nested stack as an update of its resource finds it. */
export interface FoundNested {
  readonly call: ProviderCall;
  /** The update policy of the definition, with its defaults. */
  readonly policy: JsonObject;
  readonly below: Stack;
  /** The members in its present target. Null: it is no group's. */
  readonly former: GroupSource | null;
  /** The nested stack has reached that target, and nothing runs in it. */
  readonly isSettled: boolean;
}

/** What a nested stack may depend on beside the properties. */
export interface NestingResource {
  readonly resourceName: string;
  /** The attributes of the resource that its template refers to. */
  readonly referenced: () => readonly Referenced[];
}

/**
 * For types whose object is a nested stack. Every update goes down to it, because its files or
 * environment may have changed. Its DELETE ends by itself and is never interrupted, because
 * recording it as done too early would leave the nested stack behind.
 */
export interface Nests {
  /**
   * Heat makes such a stack by a request of its own, so a preview shows the resource. An error of
   * its template is the answer to that request.
   */
  readonly isRemote?: true;
  /** The property that has or names the template. Absent: the operation computes the template. */
  readonly templateProperty?: string;
  /** What stands for the template's file in the place of an error. Absent: nothing. */
  readonly placeName?: string;
  /** As in Heat, an unknown type of a member is told without a place. */
  readonly tellsUnknownTypesAlone?: true;
  /** Signals may change the nested stack. Actions that need it at rest wait for that. */
  readonly isScaled?: true;
  /** Values that wait for other resources are empty when the template is checked, as in Heat. */
  readonly checksUnknown?: true;
  /** Properties that a check of the nested template does not read. Another wrong value fails it. */
  readonly readLater?: readonly string[];
  /**
   * The type of each resource below, where only the operation knows the rest of them. The
   * environment may map the name, and else it stands for the second one.
   */
  readonly memberType?: { readonly name: string; readonly standsFor: string };
  /**
   * The nested stack that these properties ask for. `typeName` is what the registry maps the
   * definition's type to. Throws a RequestError for a template that cannot be read.
   */
  readonly read: (
    typeName: string,
    properties: JsonObject,
    files: Readonly<Record<string, string>>,
    resource: NestingResource,
  ) => Promise<{
    readonly template: JsonObject;
    readonly parameters: JsonObject;
    /** The members, instead of resources in the template. */
    readonly group?: Omit<GroupSource, "isSecret">;
    /** The members have values of these parameters, which users see in their places. */
    readonly sharesValues?: true;
    /** Absent: as long as the operation has. */
    readonly timeoutMins?: number;
  }>;
  /**
   * The members that an update gives to the nested stack that it finds. A preview asks for them.
   * Absent: those of `read`. Throws a RequestError.
   */
  readonly membersAfter?: (group: GroupSource, found: FoundNested) => Promise<GroupSource>;
  /** The part of the definition's unresolved properties that a nested parameter's value is from. */
  readonly snippet: (properties: JsonObject, parameter: string) => Json;
}
