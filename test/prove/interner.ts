/**
 * Hash-consing: equal values get the same small number, so states can be compared and hashed by
 * numbers.
 */
import { present } from "#lib/errors.ts";

export const canonicalText = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  ) ?? "undefined";

export class Interner<Value> {
  readonly #ids = new Map<string, number>();
  readonly #values: { readonly value: Value }[] = [];

  idOf(value: Value): number {
    const text = canonicalText(value);
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    this.#values.push({ value });
    this.#ids.set(text, this.#values.length - 1);
    return this.#values.length - 1;
  }

  valueOf(id: number): Value {
    return present(this.#values[id], `interned value ${id}`).value;
  }

  get size(): number {
    return this.#values.length;
  }
}
