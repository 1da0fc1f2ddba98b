/** Calls that have not ended yet. Who asks for the same meanwhile gets the answer of the first. */
export class CallsUnderWay<Answer> {
  readonly #calls = new Map<string, Promise<Answer>>();

  get(key: string): Promise<Answer> | undefined {
    return this.#calls.get(key);
  }

  share(key: string, call: () => Promise<Answer>): Promise<Answer> {
    const known = this.#calls.get(key) ?? call().finally(() => this.#calls.delete(key));
    this.#calls.set(key, known);
    return known;
  }
}
