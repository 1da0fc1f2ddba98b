/** What each function of the template language declares, so that other code needs no names. */
import type { Json, JsonObject } from "#lib/json.ts";
import type { Scope } from "../scope.ts";
import type { ValueBudget } from "../value-budget.ts";
import type { Place } from "./arguments.ts";

export interface Evaluation extends Scope {
  readonly mappings: JsonObject;
  /** Resolves the calls in a snippet. A function may resolve only some of its arguments. */
  resolve(snippet: Json): Json;
  /** Whether a name or a boolean stands for a true condition. Only conditions ask. */
  isEnabled(condition: Json): boolean;
  /** A function asks it before it builds a long text or searches one. */
  readonly budget: Pick<ValueBudget, "mayBuild" | "search">;
}

/** Whether a map is a nested call. A call may take the place of a value of any type. */
export type IsCall = (snippet: Json) => boolean;

/** What a call names. A name may itself be a call, which only resolving can answer. */
export type CallReference =
  | { readonly kind: "resource"; readonly resource: Json }
  /** The path begins with the attribute. It is empty where the call takes all attributes. */
  | { readonly kind: "attribute"; readonly resource: Json; readonly path: readonly Json[] }
  | { readonly kind: "parameter"; readonly parameter: Json }
  /** A resource if the template has one of this name, else a parameter. */
  | { readonly kind: "either"; readonly name: Json }
  | { readonly kind: "file"; readonly file: Json }
  /** The resource that the nested stack stands for. */
  | { readonly kind: "facade" };

export interface TemplateFunction {
  readonly name: string;
  /** A sentence for users. Absent: `refuse` refuses every call. */
  readonly description?: string;
  /** The shapes of its arguments, as a user should write them. Absent as the description is. */
  readonly takes?: Place;
  /** The error text for arguments that are always wrong; else null. Inner calls have passed. */
  readonly refuse: (args: Json, isCall: IsCall) => string | null;
  /** The same for what Heat finds only when it has built all calls of the template. */
  readonly refuseLater?: (args: Json, isCall: IsCall) => string | null;
  /** The function may stand in a condition. */
  readonly mayStandInCondition?: true;
  /**
   * A macro chooses before any other function sees its arguments (Heat's Macro). It returns the
   * chosen argument, or none if the call and what encloses it go. Then these are its arguments.
   */
  readonly choose?: (args: Json, isEnabled: (condition: Json) => boolean) => readonly Json[];
  /** Heat does not look for such errors in the arguments. */
  readonly hidesArguments?: true;
  /** The arguments have passed `refuse`. Throws RequestError with Heat's text, without a place. */
  readonly evaluate: (args: Json, evaluation: Evaluation) => Json;
  /** Validation derives from this what a value waits for, what it shows and what must exist. */
  readonly refersTo?: (args: Json) => CallReference;
}
