/** A template before and after its conditions are decided. Its values still contain calls. */
import type { Json, JsonObject } from "#lib/json.ts";
import type { Version } from "./format.ts";
import type { ParameterSchema } from "./parameters/parameter-schema.ts";

export type DeletionPolicy = "Delete" | "Retain" | "Snapshot";

export interface ResourceDefinition {
  readonly name: string;
  readonly type: string;
  readonly properties: JsonObject;
  readonly dependsOn: readonly string[];
  readonly metadata: JsonObject;
  readonly deletionPolicy: DeletionPolicy;
  readonly updatePolicy: JsonObject;
  /** The id of an existing object that the stack adopts (P19), or null. */
  readonly externalId: string | null;
  readonly description: string;
  /** From depends_on, and from references in properties and metadata. Sorted and unique. */
  readonly requires: readonly string[];
}

export interface OutputDefinition {
  readonly name: string;
  readonly description: string;
  readonly value: Json;
  readonly unread?: string;
}

/** What the current rules refuse in a stored template that an earlier version accepted. */
export interface Unread {
  readonly why: string;
  /** Parameters without a value, because their definitions are refused. */
  readonly parameters: ReadonlySet<string>;
  /** For these resources only the name, the type and the deletion policy are known. */
  readonly resources: ReadonlySet<string>;
}

export interface ParsedTemplate {
  readonly version: Version;
  readonly description: string;
  readonly parameters: ReadonlyMap<string, ParameterSchema>;
  readonly parameterGroups: Json;
  readonly source: JsonObject;
  readonly unread?: Unread;
}

export interface Template extends ParsedTemplate {
  readonly resources: ReadonlyMap<string, ResourceDefinition>;
  readonly outputs: ReadonlyMap<string, OutputDefinition>;
}

/** The target of a DELETE, and of a rollback without a last good target. */
export const EMPTY_TEMPLATE_SOURCE: JsonObject = { heat_template_version: "2021-04-16" };
