/** The variables and functions that an expression sees. Each call has a context of its own. */
import type { Definition } from "./definition.ts";
import type { Value } from "./values.ts";

/** `$` is the first argument. */
const variableKey = (name: string): string => {
  const plain = name.startsWith("$") ? name.slice(1) : name;
  return plain === "" ? "1" : plain;
};

export class Context {
  readonly parent: Context | null;
  readonly #variables = new Map<string, Value>();
  readonly #functions = new Map<string, Definition[]>();

  constructor(parent: Context | null) {
    this.parent = parent;
  }

  set(name: string, value: Value): void {
    this.#variables.set(variableKey(name), value);
  }

  /** Null: there is no such variable. */
  get(name: string): Value {
    const key = variableKey(name);
    for (let at: Context | null = this; at !== null; at = at.parent) {
      const value = at.#variables.get(key);
      if (value !== undefined) return value;
    }
    return null;
  }

  register(definition: Definition): void {
    const overloads = this.#functions.get(definition.name);
    if (overloads === undefined) this.#functions.set(definition.name, [definition]);
    else overloads.push(definition);
  }

  /** The overloads of a name, the nearest context first. */
  overloads(name: string, form: "function" | "method"): readonly (readonly Definition[])[] {
    const key = name.replace(/_+$/, "");
    const levels: (readonly Definition[])[] = [];
    for (let at: Context | null = this; at !== null; at = at.parent) {
      const found = (at.#functions.get(key) ?? []).filter(
        ({ forms }) => forms === "both" || forms === form,
      );
      if (found.length > 0) levels.push(found);
    }
    return levels;
  }
}
