/**
 * Answers of the last moments. Many visits that ask for the same at about the same time share one
 * reading. An answer may be this much older than its caller.
 */
export class Recent<Answer> {
  readonly #maxAgeMs: number;
  readonly #entries = new Map<string, { readonly at: number; readonly answer: Promise<Answer> }>();

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  share(key: string, now: number, read: () => Promise<Answer>): Promise<Answer> {
    for (const [one, { at }] of this.#entries) {
      if (now - at < this.#maxAgeMs) break;
      this.#entries.delete(one);
    }
    const known = this.#entries.get(key);
    if (known !== undefined) return known.answer;
    const answer = read();
    this.#entries.set(key, { at: now, answer });
    // What has failed is read again.
    answer.catch(() => this.#entries.delete(key));
    return answer;
  }
}
