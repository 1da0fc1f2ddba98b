/** What each template function declares. Other code never tests for the names of functions. */
import type { Json, JsonObject } from "#lib/json.ts";
import type { Scope } from "../scope.ts";
import type { ValueBudget } from "../value-budget.ts";
import type { Place } from "./arguments.ts";

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
