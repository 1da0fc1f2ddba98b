/** Heat's translation rules as data: how a type reads old names of its properties. */
import type { Json } from "#lib/json.ts";

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

export interface Deletion {
  readonly delete: PropertyPath;
}

export type Translation = (Replacement | Addition | Deletion) & {
  /** The rule applies only if this property is given and not empty. */
  readonly when?: string;
};
