export class Characters {
  readonly codes: Int32Array;
  readonly #units: Int32Array | null;

  constructor(text: string) {
    const codes = new Int32Array(text.length);
    const units = new Int32Array(text.length + 1);
    let count = 0;
    let unit = 0;
    for (const character of text) {
      codes[count] = character.codePointAt(0) ?? 0;
      units[count] = unit;
      unit += character.length;
      count += 1;
    }
    units[count] = unit;
    this.codes = codes.subarray(0, count);
    this.#units = count === text.length ? null : units.subarray(0, count + 1);
  }

  unitAt(character: number): number {
    return this.#units === null ? character : (this.#units[character] ?? 0);
  }

  countBefore(unit: number): number {
    if (this.#units === null) return unit;
    let [low, high] = [0, this.#units.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#units[middle] ?? 0) < unit) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
