/** The schema of a resource type's properties. Parameters have the same constraints. */
import type { Json, JsonNumber } from "#lib/json.ts";
import type { SupportStatus } from "./support-status.ts";

/** Bounds are inclusive. An absent bound is open. */
export interface Bounds {
  readonly min?: JsonNumber;
  readonly max?: JsonNumber;
}

export type PropertyConstraint =
  | { readonly range: Bounds }
  | { readonly length: Bounds }
  | { readonly allowedValues: readonly Json[] }
  | { readonly allowedPattern: string }
  /** A check by name, such as `net_cidr`. A name that asks a cloud accepts every value. */
  | { readonly custom: string };

/**
 * Why a template's parameter does not take a value of its type; null: it takes it. `show` hides
 * what may be a secret. `custom` gives the check of a name, or null if there is none.
 */
export type ParameterCheck = (
  value: Json,
  show: (text: string) => string,
  custom: (name: string) => ((value: Json) => string | null) | null,
) => string | null;

export interface PropertySchema {
  readonly type: "string" | "integer" | "number" | "boolean" | "list" | "map" | "any";
  /** Absent in items that the description of their list explains. */
  readonly description?: string;
  readonly required?: boolean;
  readonly default?: Json;
  /** The property can be changed in place. Otherwise a change replaces the resource. */
  readonly updateAllowed?: boolean;
  /** The property can never be changed: an update that does is refused. */
  readonly immutable?: true;
  /** Heat knows the name and can do nothing with it: a definition that gives it is refused. */
  readonly unimplemented?: true;
  /** Heat's type does not have it. Its API's clients are not shown it. The reference has it. */
  readonly own?: true;
  readonly support?: SupportStatus;
  readonly constraints?: readonly PropertyConstraint[];
  /**
   * The property is a parameter of a template. It takes text for a list, and text and lists for a
   * map.
   */
  readonly parameter?: ParameterCheck;
  /** For a list: the schema of its items. */
  readonly items?: PropertySchema;
  /** The members of a map. If it is absent, the map may have any members. */
  readonly schema?: PropertySchemas;
}

export type PropertySchemas = Readonly<Record<string, PropertySchema>>;
