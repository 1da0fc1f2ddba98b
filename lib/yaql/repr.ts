import { floatOf, numberText } from "#lib/json.ts";
import { reprText } from "#lib/python/escapes.ts";
import { Collection, Dictionary, Regex, Sequence, typeOf, type Value } from "./values.ts";

const floatText = (value: number): string => {
  const finite = floatOf(value);
  if (finite !== null) return numberText(finite);
  if (Number.isNaN(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
};

const listed = (items: readonly Value[]): string => items.map(repr).join(", ");

const reprDictionary = ({ entries }: Dictionary): string =>
  `{${[...entries.values()].map(([key, item]) => `${repr(key)}: ${repr(item)}`).join(", ")}}`;

const reprCollection = (collection: Collection): string => {
  const { items, kind, dictionary } = collection;
  if (kind !== "set") {
    const shown = dictionary?.isFrozen ? reprDictionary(dictionary) : `[${listed(items)}]`;
    return `${typeOf(collection)}(${shown})`;
  }
  return items.length === 0 ? "frozenset()" : `frozenset({${listed(items)}})`;
};

export const repr = (value: Value): string => {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return floatText(value);
  if (typeof value === "string") return reprText(value);
  if (value instanceof Sequence) {
    const inner = listed(value.items);
    if (value.kind === "list") return `[${inner}]`;
    return value.items.length === 1 ? `(${inner},)` : `(${inner})`;
  }
  if (value instanceof Dictionary) return reprDictionary(value);
  if (value instanceof Collection) return reprCollection(value);
  if (value instanceof Regex) return `re.compile(${reprText(value.pattern.source)})`;
  return `<${typeOf(value)} object>`;
};

export const pythonText = (value: Value): string =>
  typeof value === "string" ? value : repr(value);
