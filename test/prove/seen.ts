/** The states met so far, by their 64-bit hash: 12 bytes each, in one open-addressed table. */
const FILL_MAX = 0.6;

export class Seen {
  #capacity = 1 << 16;
  #high = new Uint32Array(this.#capacity);
  #low = new Uint32Array(this.#capacity);
  #index = new Uint32Array(this.#capacity);
  size = 0;

  /** @returns the state's index. The state is new if the index equals the size before. */
  indexOf(high: number, low: number): number {
    if (this.size > this.#capacity * FILL_MAX) this.#grow();
    const at = this.#find(high, low);
    const known = this.#index[at] ?? 0;
    if (known > 0) return known - 1;
    this.#high[at] = high;
    this.#low[at] = low;
    this.#index[at] = ++this.size;
    return this.size - 1;
  }

  #find(high: number, low: number): number {
    const mask = this.#capacity - 1;
    let at = (low ^ Math.imul(high, 0x9e3779b1)) & mask;
    while (
      (this.#index[at] ?? 0) > 0 &&
      ((this.#high[at] ?? 0) !== high || (this.#low[at] ?? 0) !== low)
    ) {
      at = (at + 1) & mask;
    }
    return at;
  }

  #grow(): void {
    const [high, low, index] = [this.#high, this.#low, this.#index];
    this.#capacity *= 2;
    this.#high = new Uint32Array(this.#capacity);
    this.#low = new Uint32Array(this.#capacity);
    this.#index = new Uint32Array(this.#capacity);
    for (let from = 0; from < index.length; from++) {
      if ((index[from] ?? 0) === 0) continue;
      const at = this.#find(high[from] ?? 0, low[from] ?? 0);
      this.#high[at] = high[from] ?? 0;
      this.#low[at] = low[from] ?? 0;
      this.#index[at] = index[from] ?? 0;
    }
  }
}

export class Numbers {
  #list = new Uint32Array(1 << 12);
  size = 0;

  push(value: number): void {
    if (this.size === this.#list.length) {
      const larger = new Uint32Array(this.#list.length * 2);
      larger.set(this.#list);
      this.#list = larger;
    }
    this.#list[this.size++] = value;
  }

  at(index: number): number {
    return this.#list[index] ?? 0;
  }
}
