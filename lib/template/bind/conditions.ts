import { RequestError, validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json } from "#lib/json.ts";
import { formatOf, type Version } from "../format.ts";
import { checkCalls, checkCallsLater } from "../functions/calls.ts";
import { snippetResolver } from "../functions/resolve.ts";
import { callIn, conditionFunctionsOf } from "../functions/table.ts";
import type { ValueBudget } from "../functions/value-budget.ts";
import { pythonText, pythonType } from "../python-text.ts";
import type { Scope } from "../scope.ts";

class InvalidCondition extends Error {
  override readonly name = "InvalidCondition";
}

/** Puts the place in front of the error of a wrong condition. */
export const inPlace = <T>(place: string, decide: () => T): T => {
  try {
    return decide();
  } catch (failure) {
    if (!(failure instanceof InvalidCondition)) throw failure;
    throw validationFailed(`${place}: ${failure.message}`);
  }
};

export interface Conditions {
  readonly isEnabled: (condition: Json) => boolean;
  /** As `isEnabled`, but the condition may be a call. Throws if no condition may call it. */
  readonly decide: (condition: Json, place: string) => boolean;
}

/** How deep conditions may name each other. Heat's limit is the depth of Python's stack. */
const NAMED_DEPTH_MAX = 50;

/** The definition itself is wrong, so the message does not name the place that uses it. */
class InvalidDefinition extends RequestError {
  constructor(reason: string) {
    super("StackValidationFailed", 400, `Condition validation error: ${reason}`);
  }
}

const invalidDefinition = (name: string, definition: Json): RequestError =>
  new InvalidDefinition(
    `The definition of condition "${name}" is invalid: ${pythonText(definition)}`,
  );

const readSection = (section: Json | undefined): ReadonlyMap<string, Json> => {
  if (section === undefined) return new Map();
  if (isJsonObject(section)) return new Map(Object.entries(section));
  const found = pythonType(section);
  throw validationFailed(
    `Conditions validation error: Condition definitions must be a map. Found a ${found} instead`,
  );
};

/** Checks the shape of all definitions, but resolves only conditions that something uses. */
export const bindConditions = (
  version: Version,
  section: Json | undefined,
  scope: Scope,
  budget: ValueBudget,
): Conditions => {
  const functions = conditionFunctionsOf(version);
  const definitions = readSection(section);
  for (const [name, definition] of definitions) {
    checkCalls(functions, definition, `${formatOf(version).sections.conditions}.${name}`);
  }
  for (const [name, definition] of definitions) {
    if (typeof definition !== "boolean" && callIn(functions, definition) === null) {
      throw invalidDefinition(name, definition);
    }
    checkCallsLater(functions, definition, "");
  }

  const decided = new Map<string, boolean>();
  const open = new Set<string>();
  const decideNamed = (name: string, definition: Json): boolean => {
    if (open.has(name)) throw new InvalidDefinition(`Circular definition for condition "${name}"`);
    if (open.size >= NAMED_DEPTH_MAX) {
      throw new InvalidDefinition(`More than ${NAMED_DEPTH_MAX} conditions name each other`);
    }
    open.add(name);
    const value = resolveCondition(definition);
    open.delete(name);
    if (typeof value !== "boolean") throw invalidDefinition(name, value);
    decided.set(name, value);
    return value;
  };
  const isEnabled = (condition: Json): boolean => {
    if (condition === null) return true;
    if (typeof condition === "boolean") return condition;
    const definition = typeof condition === "string" ? definitions.get(condition) : undefined;
    if (typeof condition !== "string" || definition === undefined) {
      throw new InvalidCondition(`Invalid condition "${pythonText(condition)}"`);
    }
    return decided.get(condition) ?? decideNamed(condition, definition);
  };
  const resolve = snippetResolver(functions, scope, budget, isEnabled);
  const resolveCondition = (condition: Json): Json => {
    try {
      return resolve(condition);
    } catch (failure) {
      const isValueError =
        failure instanceof RequestError &&
        failure.code === "StackValidationFailed" &&
        !(failure instanceof InvalidDefinition);
      throw isValueError ? new InvalidCondition(failure.message) : failure;
    }
  };
  return {
    isEnabled,
    decide: (condition, place) => {
      checkCalls(functions, condition, place);
      return isEnabled(resolveCondition(condition));
    },
  };
};
