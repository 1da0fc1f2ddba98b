/** A template before and after its conditions are decided. Its values still hold function calls. */
import type { Json, JsonObject } from "#lib/json.ts";
import type { ParameterSchema } from "./parameter-schema.ts";
import type { Version } from "./versions.ts";

export type DeletionPolicy = "Delete" | "Retain" | "Snapshot";

export interface ResourceDefinition {
  readonly name: string;
  readonly type: string;
  readonly properties: JsonObject;
  readonly dependsOn: readonly string[];
  readonly metadata: JsonObject;
  readonly deletionPolicy: DeletionPolicy;
  readonly updatePolicy: JsonObject;
  /** The id of the object that exists already. Null: the stack makes its own. */
  readonly externalId: string | null;
  readonly description: string;
  /** From depends_on, and from references in properties and metadata. Sorted and unique. */
  readonly requires: readonly string[];
}

export interface OutputDefinition {
  readonly name: string;
  readonly description: string;
  /** Null if the condition of the output is false. */
  readonly value: Json;
  /** Why a stored output cannot be read. */
  readonly unread?: string;
}

/** What today's rules refuse of a stored template, which an earlier version may have accepted. */
export interface Unread {
  /** The first refusal. */
  readonly why: string;
  /** They have no value, because their definitions are refused. */
  readonly parameters: ReadonlySet<string>;
  /** Of these only the name, the type and the deletion policy are known. */
  readonly resources: ReadonlySet<string>;
}

/** What a template says without the values of its parameters. */
export interface ParsedTemplate {
  /** The date, also for a release name. */
  readonly version: Version;
  readonly description: string;
  readonly parameters: ReadonlyMap<string, ParameterSchema>;
  readonly parameterGroups: Json;
  readonly source: JsonObject;
  /** Absent: all of it is read. */
  readonly unread?: Unread;
}

/** A template whose conditions are decided. Resources whose condition is false do not exist. */
export interface Template extends ParsedTemplate {
  readonly resources: ReadonlyMap<string, ResourceDefinition>;
  readonly outputs: ReadonlyMap<string, OutputDefinition>;
}

/** The target of a DELETE, and of a rollback without a last good target. */
export const EMPTY_TEMPLATE_SOURCE: JsonObject = { heat_template_version: "2021-04-16" };
