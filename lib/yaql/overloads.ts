/**
 * Chooses the overload of a call, as yaql does. First the form of the arguments rules out
 * overloads. Then the arguments are evaluated once, and the types of their values decide.
 */

import {
  Call,
  type Context,
  type Definition,
  type Parameter,
  type PythonClass,
} from "./definition.ts";
import { type Argument, type Engine, limitMemory } from "./engine.ts";
import { YaqlError } from "./errors.ts";
import { ABSENT, Absent, Constant, Keyword, Rule, SyntaxNode } from "./syntax.ts";
import { pythonText, type Value } from "./values.ts";

export interface Invocation {
  readonly engine: Engine;
  readonly name: string;
  readonly context: Context;
  readonly receiver: Value | Absent;
  readonly args: readonly Argument[];
  readonly named: ReadonlyMap<string, Argument>;
}

interface Args {
  readonly positional: readonly Argument[];
  readonly named: ReadonlyMap<string, Argument>;
}

interface Mapping {
  readonly positional: readonly Parameter<unknown>[];
  readonly named: ReadonlyMap<string, Parameter<unknown>>;
}

const refusal = (
  { name, receiver }: Invocation,
  kind: "unknown" | "no_match" | "ambiguous",
): YaqlError => {
  const isMethod = !(receiver instanceof Absent);
  const what = isMethod ? "method" : "function";
  const on = isMethod ? ` for receiver ${pythonText(receiver)}` : "";
  if (kind === "unknown") return new YaqlError(kind, `Unknown ${what} "${name}"${on}`);
  if (kind === "ambiguous") return new YaqlError(kind, `Ambiguous ${what} "${name}"${on}`);
  return new YaqlError(kind, `No ${what} "${name}"${on} matches supplied arguments`);
};

const isRule = (argument: Argument): argument is Rule => argument instanceof Rule;

const split = (takesNames: boolean, { positional, named }: Args): Args => {
  if (!takesNames) {
    const [first] = named.keys();
    if (first === undefined) return { positional, named };
    throw new YaqlError("argument", `Invalid argument ${first}`);
  }
  if (!positional.some(isRule)) return { positional, named };
  const byName = new Map<string, Argument>();
  for (const argument of positional) {
    if (!isRule(argument)) continue;
    if (!(argument.source instanceof Keyword)) throw cannotName();
    byName.set(argument.source.value, argument.destination);
  }
  for (const [name, argument] of named) {
    if (byName.has(name)) throw cannotName();
    byName.set(name, argument);
  }
  return {
    positional: positional.filter((argument) => !isRule(argument)),
    named: byName,
  };
};

const cannotName = (): YaqlError =>
  new YaqlError("argument", "Cannot convert mapping to keyword argument");

const NO_NAMES: ReadonlyMap<string, Parameter<unknown>> = new Map();

const namedMapping = (
  definition: Definition,
  { positional, named }: Args,
): Mapping["named"] | null => {
  if (named.size === 0) return NO_NAMES;
  const taken = new Map<string, Parameter<unknown>>();
  for (const [at, parameter] of definition.single.entries()) {
    if (!named.has(parameter.name)) continue;
    if (isGiven(positional, at)) return null;
    taken.set(parameter.name, parameter);
  }
  for (const [name, argument] of named) {
    if (taken.has(name)) continue;
    if (definition.named?.type.accepts(argument) !== true) return null;
    taken.set(name, definition.named);
  }
  return taken;
};

const isGiven = (positional: Args["positional"], at: number): boolean =>
  at < positional.length && !(positional[at] instanceof Absent);

/** Every call runs this for each overload, so it creates few objects. */
const mappingOf = (definition: Definition, args: Args): Mapping | null => {
  const { single, rest } = definition;
  const { positional, named } = args;
  for (const [at, parameter] of single.entries()) {
    if (isGiven(positional, at) || parameter.isOptional || named.has(parameter.name)) continue;
    return null;
  }
  const places: Parameter<unknown>[] = [];
  for (const [at, argument] of positional.entries()) {
    const parameter = single[at] ?? rest;
    if (parameter === null) return null;
    if (argument instanceof Absent) {
      if (at >= single.length) return null;
    } else if (!parameter.type.accepts(argument)) return null;
    places.push(parameter);
  }
  const taken = namedMapping(definition, args);
  return taken === null ? null : { positional: places, named: taken };
};

const bind = (
  site: Pick<Invocation, "engine" | "context" | "receiver">,
  { positional, named }: Args,
  mapping: Mapping,
): Call | null => {
  const bound = new Map<Parameter<unknown>, Argument[]>();
  const others = new Map<string, Argument>();
  for (const [index, parameter] of mapping.positional.entries()) {
    const argument = positional[index] ?? null;
    if (argument instanceof Absent) continue;
    if (!parameter.type.accepts(argument)) return null;
    const list = bound.get(parameter);
    if (list === undefined) bound.set(parameter, [argument]);
    else list.push(argument);
  }
  for (const [name, parameter] of mapping.named) {
    const argument = named.get(name) ?? null;
    if (!parameter.type.accepts(argument)) return null;
    if (parameter.form === "named") others.set(name, argument);
    else bound.set(parameter, [argument]);
  }
  return new Call(site, bound, others);
};

const PARENTS: Readonly<Record<PythonClass, PythonClass | null>> = {
  object: null,
  null: "object",
  int: "object",
  bool: "int",
  iterable: "object",
  iterator: "iterable",
  sequence: "iterable",
  ordering: "iterable",
  set: "iterable",
  mapping: "iterable",
  str: "sequence",
  rule: "object",
  regex: "object",
  context: "object",
};

const isSubclass = (one: PythonClass | null, other: PythonClass | null): boolean => {
  if (one === null || other === null || one === other) return false;
  for (let at = PARENTS[one]; at !== null; at = PARENTS[at]) if (at === other) return true;
  return false;
};

const isSpecialization = (one: Mapping, other: Mapping): boolean => {
  const pairs = one.positional.map((parameter, at) => [parameter, other.positional[at]] as const);
  for (const [name, parameter] of one.named) pairs.push([parameter, other.named.get(name)]);
  let isSpecial = false;
  for (const [left, right] of pairs) {
    if (right === undefined) continue;
    if (isSubclass(right.type.pythonClass, left.type.pythonClass)) return false;
    if (isSubclass(left.type.pythonClass, right.type.pythonClass)) isSpecial = true;
  }
  return isSpecial;
};

interface Candidate {
  readonly definition: Definition;
  readonly mapping: Mapping;
}

/** All fitting overloads must leave the same arguments unevaluated. */
const isAsLazy = (one: Mapping, other: Mapping): boolean =>
  one.positional.every(
    (parameter, at) => parameter.type.isLazy === other.positional[at]?.type.isLazy,
  ) &&
  [...one.named].every(([name, { type }]) => type.isLazy === other.named.get(name)?.type.isLazy);

const candidatesOf = (
  invocation: Invocation,
  levels: readonly (readonly Definition[])[],
): { readonly args: Args; readonly levels: readonly (readonly Candidate[])[] } => {
  const { receiver } = invocation;
  const own = receiver instanceof Absent ? [] : [receiver];
  const takesNames = levels[0]?.[0]?.takesNames ?? true;
  const positional = [...own, ...invocation.args];
  const args = split(takesNames, { positional, named: invocation.named });
  let first: Mapping | null = null;
  const fitting: Candidate[][] = [];
  for (const level of levels) {
    const found: Candidate[] = [];
    for (const definition of level) {
      if (definition.takesNames !== takesNames) throw refusal(invocation, "ambiguous");
      const mapping = mappingOf(definition, args);
      if (mapping === null) continue;
      if (first !== null && !isAsLazy(first, mapping)) throw refusal(invocation, "ambiguous");
      first ??= mapping;
      found.push({ definition, mapping });
    }
    if (found.length > 0) fitting.push(found);
  }
  return { args, levels: fitting };
};

const evaluated = (
  { engine, context }: Invocation,
  { positional, named }: Args,
  { mapping }: Candidate,
): Args => {
  const evaluate = (argument: Argument, parameter: Parameter<unknown> | undefined): Argument => {
    if (!(argument instanceof SyntaxNode) || parameter?.type.isLazy === true) return argument;
    if (argument instanceof Constant || argument instanceof Keyword) return argument;
    return engine.evaluate(argument, ABSENT, context);
  };
  const values = positional.map((argument, at) => evaluate(argument, mapping.positional[at]));
  if (named.size === 0) return { positional: values, named };
  const byName = [...named].map(
    ([name, argument]) => [name, evaluate(argument, mapping.named.get(name))] as const,
  );
  return { positional: values, named: new Map(byName) };
};

const choose = (
  invocation: Invocation,
  args: Args,
  level: readonly Candidate[],
): { readonly definition: Definition; readonly call: Call } | null => {
  let winner: (Candidate & { readonly call: Call }) | null = null;
  for (const candidate of level) {
    const call = bind(invocation, args, candidate.mapping);
    if (call === null) continue;
    if (winner !== null) {
      if (isSpecialization(winner.mapping, candidate.mapping)) continue;
      if (!isSpecialization(candidate.mapping, winner.mapping)) {
        throw refusal(invocation, "ambiguous");
      }
    }
    winner = { ...candidate, call };
  }
  return winner;
};

export const invoke = (invocation: Invocation): Value => {
  const { engine, name, receiver } = invocation;
  engine.spend(1);
  const form = receiver instanceof Absent ? "function" : "method";
  const all = invocation.context.overloads(name, form);
  if (all.length === 0) throw refusal(invocation, "unknown");
  const { args: unevaluated, levels } = candidatesOf(invocation, all);
  const [first] = levels.flat();
  if (first === undefined) throw refusal(invocation, "no_match");
  const args = evaluated(invocation, unevaluated, first);
  for (const level of levels) {
    const chosen = choose(invocation, args, level);
    if (chosen === null) continue;
    const result = chosen.definition.run(chosen.call);
    limitMemory(engine, result);
    return result;
  }
  throw refusal(invocation, "no_match");
};
