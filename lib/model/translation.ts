/** How a type reads old names of its properties: Heat's translation rules, as data. */
import type { Json } from "#lib/json.ts";

/** From a property down to a member. Lists on the way have no part in it. */
export type PropertyPath = readonly string[];

export type TranslationSource =
  /** A neighbour of the target in the same map, or what is in that neighbour. */
  | { readonly sibling: string; readonly below?: PropertyPath }
  /** A property of the resource, or what is in it. */
  | { readonly property: PropertyPath }
  /** A value of the type's own. It gets the value of the property that `when` names. */
  | { readonly value: (given: Json) => Json };

/** The target takes the source's value. Its own value and the source's exclude each other. */
export interface Replacement {
  readonly replace: PropertyPath;
  readonly by: TranslationSource;
}

/** The target is a list. The value, or each value of a list, becomes one more item of it. */
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
