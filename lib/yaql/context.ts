import type { Definition } from "./definition.ts";
import type { Value } from "./values.ts";

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
