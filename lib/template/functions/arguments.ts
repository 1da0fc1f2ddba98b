/**
 * How a function declares the shapes of its arguments, for documents and editors. Validation does
 * not use it: the function's `refuse` reports errors in Heat's words. A test checks that both
 * agree.
 */

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
