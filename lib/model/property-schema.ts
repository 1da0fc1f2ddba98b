/** What a resource type says about its properties, and the constraints that properties share with parameters. */
import type { Json } from "#lib/json.ts";

/** Bounds are inclusive; an absent one is open. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

export type PropertyConstraint =
  | { readonly range: Bounds }
  | { readonly length: Bounds }
  | { readonly allowedValues: readonly Json[] }
  | { readonly allowedPattern: string };

export interface PropertySchema {
  readonly type: "string" | "integer" | "number" | "boolean" | "list" | "map" | "any";
  readonly description: string;
  readonly required?: boolean;
  readonly default?: Json;
  /** A change of this property is made in place; otherwise it replaces the resource. */
  readonly updateAllowed?: boolean;
  readonly constraints?: readonly PropertyConstraint[];
  /** The items of a list. */
  readonly items?: PropertySchema;
  /** The members of a map; absent: any members. */
  readonly schema?: PropertySchemas;
}

export type PropertySchemas = Readonly<Record<string, PropertySchema>>;
