/** What each template function declares. Other code never tests for the names of functions. */
import type { Json, JsonObject } from "#lib/json.ts";
import type { Scope } from "../scope.ts";
import type { ValueBudget } from "./value-budget.ts";

export interface Evaluation extends Scope {
  readonly mappings: JsonObject;
  /** Resolves the calls in a snippet. A function may resolve only some of its arguments. */
  resolve(snippet: Json): Json;
  /** Whether a condition's name or a boolean is true. Only functions of conditions call it. */
  isEnabled(condition: Json): boolean;
  /** A function must ask the budget before it builds or searches a long text. */
  readonly budget: Pick<ValueBudget, "mayBuild" | "search">;
}

export type IsCall = (snippet: Json) => boolean;

export type CallReference =
  | { readonly kind: "resource"; readonly resource: Json }
  /** The path begins with the attribute. It is empty if the call reads all attributes. */
  | { readonly kind: "attribute"; readonly resource: Json; readonly path: readonly Json[] }
  | { readonly kind: "parameter"; readonly parameter: Json }
  | { readonly kind: "either"; readonly name: Json }
  | { readonly kind: "file"; readonly file: Json }
  | { readonly kind: "facade" };

export interface TemplateFunction {
  readonly name: string;
  /** A sentence for users. Absent if `refuse` refuses every call. */
  readonly description?: string;
  readonly takes?: Place;
  /** @returns the error text for arguments that are always wrong; inner calls have passed */
  readonly refuse: (args: Json, isCall: IsCall) => string | null;
  /** As `refuse`, for errors that Heat finds only when it has built all calls of the template. */
  readonly refuseLater?: (args: Json, isCall: IsCall) => string | null;
  readonly mayStandInCondition?: true;
  /**
   * Makes the function a macro (Heat's Macro), which chooses before other functions see its
   * arguments. It returns the chosen argument, or nothing to remove the call and what encloses it.
   */
  readonly choose?: (args: Json, isEnabled: (condition: Json) => boolean) => readonly Json[];
  /** Heat does not look for errors of `refuseLater` in the arguments. */
  readonly hidesArguments?: true;
  /** The arguments have passed `refuse`. Throws RequestError with Heat's text, without a place. */
  readonly evaluate: (args: Json, evaluation: Evaluation) => Json;
  /** Validation derives from this what a value requires, what it may show and what must exist. */
  readonly refersTo?: (args: Json) => CallReference;
}

/** A call may stand wherever a shape is expected, unless the place is `written`. */
export type Shape =
  | { readonly kind: "any" | "something" | "scalar" | "condition" | "nothing" }
  | { readonly kind: "text"; readonly oneOf?: readonly string[]; readonly example?: string }
  | { readonly kind: "integer"; readonly min: number; readonly max: number }
  | { readonly kind: "boolean"; readonly only: boolean }
  | { readonly kind: "list" | "map"; readonly values: readonly Shape[]; readonly min: number }
  /** A list in which each place has a meaning. With `rest`, the last place may repeat. */
  | { readonly kind: "row"; readonly places: readonly Argument[]; readonly rest: boolean }
  /** A map in which each key has a meaning. With `open`, other keys are ignored. */
  | { readonly kind: "keys"; readonly places: readonly Argument[]; readonly open: boolean };

export interface Place {
  readonly shapes: readonly Shape[];
  /** The value must be written out; a call is not accepted. */
  readonly written?: true;
}

export interface Argument extends Place {
  readonly name: string;
  readonly meaning: string;
  readonly optional?: true;
}

/**
 * How a function declares the shapes of its arguments, for documents and editors. Validation does
 * not use it: the function's `refuse` reports errors in Heat's words. A test checks that both
 * agree.
 */
export const ANY: Shape = { kind: "any" };
export const SOMETHING: Shape = { kind: "something" };
export const SCALAR: Shape = { kind: "scalar" };
export const TEXT: Shape = { kind: "text" };
/** The name of a condition, a boolean, or a call of a function that is only for conditions. */
export const CONDITION: Shape = { kind: "condition" };
export const NOTHING: Shape = { kind: "nothing" };

export const textLike = (example: string): Shape => ({ kind: "text", example });
export const oneOf = (...texts: readonly string[]): Shape => ({ kind: "text", oneOf: texts });
export const integer = (
  min: number = Number.NEGATIVE_INFINITY,
  max: number = Number.POSITIVE_INFINITY,
): Shape => ({ kind: "integer", min, max });
export const only = (value: boolean): Shape => ({ kind: "boolean", only: value });

export const listOf = (...values: readonly Shape[]): Shape => ({ kind: "list", values, min: 0 });
export const atLeast = (min: number, ...values: readonly Shape[]): Shape => ({
  kind: "list",
  values,
  min,
});
export const mapOfAll = (...values: readonly Shape[]): Shape => ({ kind: "map", values, min: 0 });
export const mapOfSome = (...values: readonly Shape[]): Shape => ({ kind: "map", values, min: 1 });

export const row = (...places: readonly Argument[]): Shape => ({
  kind: "row",
  places,
  rest: false,
});
export const rowWithRest = (...places: readonly Argument[]): Shape => ({
  kind: "row",
  places,
  rest: true,
});
export const keys = (...places: readonly Argument[]): Shape => ({
  kind: "keys",
  places,
  open: false,
});
export const openKeys = (...places: readonly Argument[]): Shape => ({
  kind: "keys",
  places,
  open: true,
});

export const argument = (name: string, meaning: string, ...shapes: readonly Shape[]): Argument => ({
  name,
  meaning,
  shapes,
});
export const optional = (given: Argument): Argument => ({ ...given, optional: true });
export const written = (given: Argument): Argument => ({ ...given, written: true });

export const takes = (...shapes: readonly Shape[]): Place => ({ shapes });
export const takesWritten = (...shapes: readonly Shape[]): Place => ({ shapes, written: true });
