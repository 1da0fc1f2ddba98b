/** What a template's functions see of the stack that they are resolved in. */
import type { Json, JsonObject } from "#lib/json.ts";

export interface ResourceReference {
  /** What get_resource yields; null: nothing yet, and the resource's name stands in for it. */
  readonly refId: string | null;
  readonly attributes: JsonObject;
  /** False in INIT and DELETE, and where there is no row: attributes read as null. */
  readonly live: boolean;
}

export interface PseudoParameters {
  readonly stackName: string;
  readonly stackId: string;
  readonly projectId: string;
}

export interface Scope {
  readonly parameters: ReadonlyMap<string, Json>;
  /** OS::stack_name, OS::stack_id and OS::project_id. */
  readonly pseudo: PseudoParameters;
  /** Contents by name: what get_file yields. */
  readonly files: Readonly<Record<string, string>>;
  /** Null: the template has no such resource. */
  resource(name: string): ResourceReference | null;
}
