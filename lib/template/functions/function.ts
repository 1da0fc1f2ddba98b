/** What one function of the template language is: what its constructor refuses, what it refers to, and its value. */
import type { Json } from "#lib/json.ts";
import type { Scope } from "../scope.ts";

export interface Evaluation extends Scope {
  /** Resolves the calls inside a snippet. A function that must not look at all its arguments resolves them one by one. */
  resolve(snippet: Json): Json;
}

/** Tells a nested call from a map: a call may stand wherever a value of any type may. */
export type IsCall = (snippet: Json) => boolean;

/** What a call names. Each name may itself be a call: then only resolving shows it. */
export type Reference =
  | { readonly kind: "resource"; readonly resource: Json }
  /** The path begins with the attribute. It is empty where the call takes all attributes. */
  | { readonly kind: "attribute"; readonly resource: Json; readonly path: readonly Json[] }
  | { readonly kind: "parameter"; readonly parameter: Json }
  | { readonly kind: "file"; readonly file: Json };

export interface TemplateFunction {
  readonly name: string;
  /** For users, a sentence. Absent: a template that calls it is refused, whatever the arguments. */
  readonly description?: string;
  /** The text of the error for arguments that no value can make right, or null. Their inner calls have been checked. */
  readonly refuse: (args: Json, isCall: IsCall) => string | null;
  /** Only for arguments that were not refused. Throws RequestError with Heat's text, without a place. */
  readonly evaluate: (args: Json, evaluation: Evaluation) => Json;
  /** Validation derives from this what a value waits for, what it shows and what must exist. */
  readonly refersTo?: (args: Json) => Reference;
}
