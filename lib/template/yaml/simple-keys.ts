/** Places where a key may have begun whose `:` has not been read yet. */
import type { Source } from "./source.ts";

/** A longer key needs a `?`, in PyYAML and libyaml. */
const KEY_CHARS_MAX = 1_024;

export interface SimpleKey {
  readonly tokenNumber: number;
  readonly isRequired: boolean;
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

export class SimpleKeys {
  readonly #keys = new Map<number, SimpleKey>();
  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
  }

  get nearestToken(): number {
    let nearest = Number.POSITIVE_INFINITY;
    for (const { tokenNumber } of this.#keys.values()) nearest = Math.min(nearest, tokenNumber);
    return nearest;
  }

  /** A key must be on one line and short. Throws YamlProblem if a required key is not. */
  dropStale(): void {
    for (const [level, key] of this.#keys) {
      const isStale = key.line !== this.#source.line || this.#isLong(key);
      if (isStale) this.#drop(level, key);
    }
  }

  save(level: number, key: SimpleKey): void {
    this.remove(level);
    this.#keys.set(level, key);
  }

  remove(level: number): void {
    const key = this.#keys.get(level);
    if (key !== undefined) this.#drop(level, key);
  }

  take(level: number): SimpleKey | undefined {
    const key = this.#keys.get(level);
    this.#keys.delete(level);
    return key;
  }

  #isLong({ at }: SimpleKey): boolean {
    const { text, at: now } = this.#source;
    if (now - at <= KEY_CHARS_MAX) return false;
    return now - at > 2 * KEY_CHARS_MAX || Array.from(text.slice(at, now)).length > KEY_CHARS_MAX;
  }

  #drop(level: number, { isRequired, at }: SimpleKey): void {
    if (isRequired) {
      const context = { doing: "while scanning a simple key", offset: at };
      throw this.#source.problem(context, "could not find expected ':'");
    }
    this.#keys.delete(level);
  }
}
