import { isJsonObject, type Json } from "#lib/json.ts";
import { isCollection, isJsonArray } from "#lib/template/json-shape.ts";
import type { Dice } from "../dice.ts";

const PLAIN = /^[A-Za-z_][\w.:/-]*$/;
const QUOTABLE = /^[^'\\\p{Cc}\p{Cs}]*$/u;
const TAGS = [
  "!!str ",
  "!!int ",
  "!!map ",
  "!!seq ",
  "!!python/object:os.system ",
  "!x ",
  "!!set ",
];

class YamlWriter {
  readonly #dice: Dice;
  readonly #anchors: string[] = [];

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  #text(text: string): string {
    if (PLAIN.test(text) && this.#dice.chance(70)) return text;
    if (QUOTABLE.test(text) && this.#dice.chance(30)) return `'${text}'`;
    return JSON.stringify(text);
  }

  #scalar(value: Json): string {
    if (typeof value === "string") return this.#text(value);
    if (value === null) return this.#dice.pick(["null", "~", ""]);
    return JSON.stringify(value);
  }

  #decoration(): string {
    if (!this.#dice.chance(3)) return "";
    if (this.#dice.slip(40)) return this.#dice.pick(TAGS);
    const anchor = `a${this.#anchors.length}`;
    this.#anchors.push(anchor);
    return `&${anchor} `;
  }

  #alias(): string | null {
    if (this.#anchors.length === 0 || !this.#dice.slip(8)) return null;
    return `*${this.#dice.pick(this.#anchors)}`;
  }

  value(value: Json, indent: string): string {
    const alias = this.#alias();
    if (alias !== null) return ` ${alias}`;
    const decoration = this.#decoration();
    if (!isCollection(value)) return ` ${decoration}${this.#scalar(value)}`;
    if (Object.keys(value).length === 0 || this.#dice.chance(15)) {
      return ` ${decoration}${JSON.stringify(value)}`;
    }
    const lines = isJsonArray(value)
      ? value.map((item) => `${indent}-${this.value(item, `${indent}  `)}`)
      : this.#members(value, indent);
    return ` ${decoration.trimEnd()}\n${lines.join("\n")}`;
  }

  #members(value: Json, indent: string): string[] {
    if (!isJsonObject(value)) return [];
    const lines = Object.entries(value).map(
      ([key, item]) => `${indent}${this.#text(key)}:${this.value(item, `${indent}  `)}`,
    );
    const merged = this.#dice.slip(4) ? this.#alias() : null;
    return merged === null ? lines : [`${indent}<<: ${merged}`, ...lines];
  }
}

export const yamlText = (dice: Dice, document: Json): string => {
  const text = new YamlWriter(dice).value(document, "").replace(/^ *\n/, "");
  return dice.slip(3) ? `---\n${text}\n---\na: b\n` : `${text}\n`;
};

export const documentText = (dice: Dice, document: Json): string =>
  dice.chance(50) ? JSON.stringify(document) : yamlText(dice, document);
