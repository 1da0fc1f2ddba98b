/** A function of the library: its parameters, by which an overload is chosen, and what it does. */
import type { Argument, Engine } from "./engine.ts";
import { ABSENT, type Absent } from "./syntax.ts";
import { iterate, type Many, Stream, type Value } from "./values.ts";

/** Python's classes. An overload with a subclass is preferred to one with its base class. */
export type PythonClass =
  | "object"
  | "null"
  | "int"
  | "bool"
  | "str"
  | "iterable"
  | "iterator"
  | "sequence"
  | "ordering"
  | "set"
  | "mapping"
  | "rule"
  | "regex"
  | "context";

export interface ParameterType<Converted> {
  readonly isLazy: boolean;
  readonly pythonClass: PythonClass | null;
  accepts(argument: Argument): boolean;
  convert(argument: Argument, call: CallSite): Converted;
}

export interface Parameter<Converted> {
  readonly name: string;
  readonly type: ParameterType<Converted>;
  readonly isOptional: boolean;
  /** "rest" collects the other positional arguments, and "named" those with other names. */
  readonly form: "one" | "rest" | "named";
}

export interface CallSite {
  readonly engine: Engine;
  readonly context: Context;
  readonly receiver: Value | Absent;
}

export class Call implements CallSite {
  readonly engine: Engine;
  readonly context: Context;
  readonly receiver: Value | Absent;
  readonly #bound: ReadonlyMap<Parameter<unknown>, readonly Argument[]>;
  readonly #named: ReadonlyMap<string, Argument>;

  constructor(
    site: CallSite,
    bound: ReadonlyMap<Parameter<unknown>, readonly Argument[]>,
    named: ReadonlyMap<string, Argument>,
  ) {
    this.engine = site.engine;
    this.context = new Context(site.context);
    this.receiver = site.receiver;
    this.#bound = bound;
    this.#named = named;
  }

  get<Converted>(parameter: Parameter<Converted>): Converted {
    const [argument = ABSENT] = this.#bound.get(parameter) ?? [];
    return parameter.type.convert(argument, this);
  }

  /** The items of a collection that is an argument. */
  items(parameter: Parameter<Many>): Iterable<Value> {
    return iterate(this.get(parameter));
  }

  rest<Converted>(parameter: Parameter<Converted>): readonly Converted[] {
    const bound = this.#bound.get(parameter) ?? [];
    return bound.map((argument) => parameter.type.convert(argument, this));
  }

  named<Converted>(parameter: Parameter<Converted>): readonly (readonly [string, Converted])[] {
    return [...this.#named].map(([name, argument]) => [
      name,
      parameter.type.convert(argument, this),
    ]);
  }

  call(name: string, ...args: readonly Argument[]): Value {
    return this.engine.call(name, new Context(this.context), args);
  }
}

export interface Definition {
  readonly name: string;
  readonly forms: "function" | "method" | "both";
  /** If true, `a => b` is a named argument. Otherwise the function gets it as a rule. */
  readonly takesNames: boolean;
  readonly single: readonly Parameter<unknown>[];
  readonly rest: Parameter<unknown> | null;
  readonly named: Parameter<unknown> | null;
  readonly run: (call: Call) => Value;
}

const isLazy = (result: Value | Iterable<Value>): result is Iterable<Value> =>
  typeof result === "object" && result !== null && Symbol.iterator in result;

/** What `run` generates becomes a stream. */
const defining =
  (forms: Definition["forms"], takesNames = true) =>
  (
    name: string,
    parameters: readonly Parameter<unknown>[],
    run: (call: Call) => Value | Iterable<Value>,
  ): Definition => ({
    name,
    forms,
    takesNames,
    single: parameters.filter(({ form }) => form === "one"),
    rest: parameters.find(({ form }) => form === "rest") ?? null,
    named: parameters.find(({ form }) => form === "named") ?? null,
    run: (call) => {
      const result = run(call);
      return isLazy(result) ? new Stream(result) : result;
    },
  });

export const defineFunction = defining("function");
export const defineMethod = defining("method");
export const defineBoth = defining("both");
export const defineFunctionOfRules = defining("function", false);
export const defineMethodOfRules = defining("method", false);

/** `$` means `$1`, the first argument. */
const variableKey = (name: string): string => {
  const plain = name.startsWith("$") ? name.slice(1) : name;
  return plain === "" ? "1" : plain;
};

type Form = "function" | "method";
type Overloads = ReadonlyMap<Form, Map<string, Definition[]>>;

const noOverloads = (): Overloads =>
  new Map([
    ["function", new Map()],
    ["method", new Map()],
  ]);

/** A context creates its maps on demand, because each call makes contexts and most stay empty. */
export class Context {
  readonly parent: Context | null;
  #variables: Map<string, Value> | null = null;
  #overloads: Overloads | null = null;

  constructor(parent: Context | null) {
    this.parent = parent;
  }

  set(name: string, value: Value): void {
    this.#variables ??= new Map();
    this.#variables.set(variableKey(name), value);
  }

  get(name: string): Value {
    const key = variableKey(name);
    for (let at: Context | null = this; at !== null; at = at.parent) {
      const value = at.#variables?.get(key);
      if (value !== undefined) return value;
    }
    return null;
  }

  register(definition: Definition): void {
    this.#overloads ??= noOverloads();
    for (const [form, byName] of this.#overloads) {
      if (definition.forms !== form && definition.forms !== "both") continue;
      const overloads = byName.get(definition.name);
      if (overloads === undefined) byName.set(definition.name, [definition]);
      else overloads.push(definition);
    }
  }

  overloads(name: string, form: Form): readonly (readonly Definition[])[] {
    const key = name.replace(/(?<!_)_+$/, "");
    const levels: (readonly Definition[])[] = [];
    for (let at: Context | null = this; at !== null; at = at.parent) {
      const found = at.#overloads?.get(form)?.get(key);
      if (found !== undefined) levels.push(found);
    }
    return levels;
  }
}
