/** What a type says of its properties: their schemas, and their translations as in Heat. */
import type { Json, JsonNumber } from "#lib/json.ts";

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
 * @returns why a parameter does not accept a value of its type. `show` hides what may be secret.
 */
export type ParameterCheck = (
  value: Json,
  show: (text: string) => string,
  custom: (name: string) => ((value: Json) => string | null) | null,
) => string | null;

export interface PropertySchema {
  readonly type: "string" | "integer" | "number" | "boolean" | "list" | "map" | "any";
  readonly description?: string;
  readonly required?: boolean;
  readonly default?: Json;
  readonly updateAllowed?: boolean;
  /** An update that changes the property is refused. */
  readonly immutable?: true;
  /** Heat knows the name but does not support it, so a definition that gives it is refused. */
  readonly unimplemented?: true;
  /** Heat's type does not have the property, so clients of Heat's API do not see it. */
  readonly own?: true;
  readonly support?: SupportStatus;
  readonly constraints?: readonly PropertyConstraint[];
  /** A parameter of a template accepts text for a list, and text and lists for a map. */
  readonly parameter?: ParameterCheck;
  readonly items?: PropertySchema;
  readonly schema?: PropertySchemas;
}

export type PropertySchemas = Readonly<Record<string, PropertySchema>>;

/** A path from a property down to a member. It has no entry for lists on the way. */
export type PropertyPath = readonly string[];

export type TranslationSource =
  | { readonly sibling: string; readonly below?: PropertyPath }
  | { readonly property: PropertyPath }
  | { readonly value: (given: Json) => Json };

/** The target gets the source's value. Its own value and the source's exclude each other. */
export interface Replacement {
  readonly replace: PropertyPath;
  readonly by: TranslationSource;
}

export interface Addition {
  readonly add: PropertyPath;
  readonly from: TranslationSource;
}

interface Deletion {
  readonly delete: PropertyPath;
}

/** Heat's translation rule as data: how a type reads old names of its properties. */
export type Translation = (Replacement | Addition | Deletion) & {
  /** The rule applies only if this property is given and not empty. */
  readonly when?: string;
};

export interface SupportStatus {
  /** The default is SUPPORTED. HIDDEN names are not listed, but old templates may use them. */
  readonly status?: "DEPRECATED" | "UNSUPPORTED" | "HIDDEN";
  readonly since?: string;
  readonly message?: string;
  readonly previous?: SupportStatus;
}

export const isHidden = (support: SupportStatus | undefined): boolean =>
  support?.status === "HIDDEN";
