/** The part of a resource type that a template is checked against. */
import type { JsonObject } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { CheckedDefinition, Refusal } from "#lib/model/refusal.ts";

export interface TypeSchema {
  /** "any": every key, with every value. */
  readonly properties: PropertySchemas | "any";
  /** "any": every name. */
  readonly attributes: Readonly<Record<string, unknown>> | "any";
  /** Absent: the type has no update policy. */
  readonly updatePolicy?: PropertySchemas;
  /** What schemas cannot say. Values that wait are those of resources in INIT. */
  readonly validate?: (
    properties: JsonObject,
    name: string,
    definition: CheckedDefinition,
  ) => Refusal | null;
  /** The same for the metadata section, with its calls unresolved. */
  readonly readsMetadata?: (metadata: JsonObject) => string | null;
  /** A resource of the type is made without a look at its sections, however wrong they are. */
  readonly ignoresDefinition?: boolean;
  /** Present where the type supports the deletion policy Snapshot. */
  readonly handleSnapshotDelete?: unknown;
  /** Why no resource of the type can be made. Absent: one can. */
  readonly withoutProvider?: string | undefined;
}

/** The type behind the type name of the named resource; null: there is none. */
export type Lookup = (type: string, resourceName: string) => TypeSchema | null;
