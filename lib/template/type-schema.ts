/** The part of a resource type that a template is checked against. */
import type { JsonObject } from "#lib/json.ts";
import type { CheckedDefinition, Problem, ReadProperty } from "#lib/model/checked-definition.ts";
import type { PropertySchemas, Translation } from "#lib/model/property-schema.ts";
import type { CoercionOptions } from "./properties.ts";
import type { ResourceDefinition } from "./template.ts";

export interface TypeSchema {
  readonly properties: PropertySchemas | "any";
  readonly translations?: readonly Translation[];
  readonly propertiesAreParameters?: true;
  /** Properties that Heat reads when it makes its object, before any check of a template. */
  readonly readWhenMade?: readonly string[];
  /** Before a create, get_resource gives null instead of the resource's name. */
  readonly isNamelessBeforeCreate?: boolean;
  readonly attributes: Readonly<Record<string, unknown>> | "any";
  readonly updatePolicy?: PropertySchemas;
  /** Checks what schemas cannot express. A value that waits for another resource is empty. */
  readonly validate?: (
    properties: JsonObject,
    name: string,
    definition: CheckedDefinition,
  ) => Problem;
  readonly validateFirst?: (read: ReadProperty, definition: CheckedDefinition) => Problem;
  readonly readsMetadata?: (metadata: JsonObject) => string | null;
  /** Heat makes such a resource without validating its sections. */
  readonly ignoresDefinition?: boolean;
  readonly handleSnapshotDelete?: unknown;
  readonly withoutProvider?: string | undefined;
  readonly isReserved?: true | undefined;
}

export const translatedBy = (
  { translations, propertiesAreParameters }: TypeSchema,
  { description }: ResourceDefinition,
): Pick<CoercionOptions, "translations" | "description"> => ({
  translations,
  description: propertiesAreParameters ? undefined : description,
});

/** @returns the type that the registry maps the name to for this resource, or null when unknown */
export type Lookup = (type: string, resourceName: string) => TypeSchema | null;
