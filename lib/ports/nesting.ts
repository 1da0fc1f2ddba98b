import type { Json, JsonObject } from "#lib/json.ts";
import type { GroupSource, Referenced } from "#lib/model/group-record.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { ProviderCall } from "./resource-type.ts";

export interface FoundNested {
  readonly call: ProviderCall;
  readonly policy: JsonObject;
  readonly below: Stack;
  readonly former: GroupSource | null;
  readonly isSettled: boolean;
}

export interface NestingResource {
  readonly resourceName: string;
  readonly referenced: () => readonly Referenced[];
}

/**
 * For types whose object is a nested stack. Every update reaches the nested stack, because its
 * files or environment may have changed. Its DELETE is never interrupted: an operation that is
 * recorded as done too early would leave the nested stack behind.
 */
export interface Nests {
  /**
   * Heat creates such a stack with a separate request, so a preview shows the resource itself. The
   * answer to that request reports errors of its template.
   */
  readonly isRemote?: true;
  readonly templateProperty?: string;
  readonly placeName?: string;
  readonly tellsUnknownTypesAlone?: true;
  /** Signals may change the nested stack. Actions that need it at rest wait for such a change. */
  readonly isScaled?: true;
  /**
   * As in Heat, the template is checked with empty values for those that wait for other resources.
   */
  readonly checksUnknown?: true;
  /**
   * A check of the nested template does not read these properties. Any other wrong value fails it.
   */
  readonly readLater?: readonly string[];
  /**
   * The type of each resource in the nested stack, for types whose other contents only the
   * operation knows.
   */
  readonly memberType?: string;
  /** Mappings of types that the nested stack has unless the environment maps these types. */
  readonly registry?: JsonObject;
  /**
   * Returns the nested stack that these properties ask for. `typeName` is the type to which the
   * registry maps the definition's type.
   * @throws RequestError when the template cannot be read.
   */
  readonly read: (
    typeName: string,
    properties: JsonObject,
    files: Readonly<Record<string, string>>,
    resource: NestingResource,
  ) => Promise<{
    readonly template: JsonObject;
    readonly parameters: JsonObject;
    readonly group?: Omit<GroupSource, "isSecret">;
    readonly sharesValues?: true;
    readonly timeoutMins?: number;
  }>;
  readonly membersAfter?: (group: GroupSource, found: FoundNested) => Promise<GroupSource>;
  readonly snippet: (properties: JsonObject, parameter: string) => Json;
}
