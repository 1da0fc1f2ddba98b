/** The part of a resource type that a template is checked against. */
import type { JsonObject } from "#lib/json.ts";
import type { CheckedDefinition, Problem, ReadProperty } from "#lib/model/checked-definition.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Translation } from "#lib/model/translation.ts";
import type { CoercionOptions } from "./properties.ts";
import type { ResourceDefinition } from "./template.ts";

export interface TypeSchema {
  /** "any": every key, with every value. */
  readonly properties: PropertySchemas | "any";
  readonly translations?: readonly Translation[];
  readonly propertiesAreParameters?: true;
  /** Properties that Heat reads when it makes its object, before any check of a template. */
  readonly readWhenMade?: readonly string[];
  /** Before a resource exists, get_resource is null instead of its name. */
  readonly isNamelessBeforeCreate?: boolean;
  /** "any": every name. */
  readonly attributes: Readonly<Record<string, unknown>> | "any";
  /** Absent: the type has no update policy. */
  readonly updatePolicy?: PropertySchemas;
  /** What schemas cannot say. A value that waits for another resource is empty. */
  readonly validate?: (
    properties: JsonObject,
    name: string,
    definition: CheckedDefinition,
  ) => Problem;
  /** The same for checks that Heat makes before it looks at the schemas. */
  readonly validateFirst?: (read: ReadProperty, definition: CheckedDefinition) => Problem;
  /** The same for the metadata section, with its calls unresolved. */
  readonly readsMetadata?: (metadata: JsonObject) => string | null;
  /** A resource of the type is made without a look at its sections, however wrong they are. */
  readonly ignoresDefinition?: boolean;
  /** Present where the type supports the deletion policy Snapshot. */
  readonly handleSnapshotDelete?: unknown;
  /** Why no resource of the type can be made. Absent: one can. */
  readonly withoutProvider?: string | undefined;
  /** Only administrators of a cloud could make one. */
  readonly isReserved?: true | undefined;
}

/** What properties take from the type and the definition besides their own values. */
export const translatedBy = (
  { translations, propertiesAreParameters }: TypeSchema,
  { description }: ResourceDefinition,
): Pick<CoercionOptions, "translations" | "description"> => ({
  translations,
  description: propertiesAreParameters ? undefined : description,
});

/** The type behind the type name of the named resource; null: there is none. */
export type Lookup = (type: string, resourceName: string) => TypeSchema | null;
