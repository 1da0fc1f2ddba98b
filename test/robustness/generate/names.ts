import { VERSIONS } from "#lib/template/format.ts";
import type { Dice } from "../dice.ts";
import { HOSTILE_KEYS } from "./scalars.ts";

export const HOT_VERSIONS = [...VERSIONS, "newton", "pike", "wallaby"] as const;

export type Format = "hot" | "cfn";

export interface Names {
  readonly format: Format;
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  readonly parameters: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: readonly string[];
  readonly files: readonly string[];
}

const FILES = ["child.yaml", "other.template", "script.sh", "env.yaml", "constructor"];

const named = (dice: Dice, most: number, letter: string): readonly string[] => [
  `${letter}0`,
  ...dice.some(most, (at) => (dice.slip(10) ? dice.pick(HOSTILE_KEYS) : `${letter}${at + 1}`)),
];

export const namesFor = (dice: Dice, format: Format): Names => ({
  format,
  attributes: new Map(),
  parameters: named(dice, 5, "p"),
  resources: named(dice, 5, "r"),
  conditions: named(dice, 3, "c"),
  files: FILES,
});

export const nameOf = (dice: Dice, names: readonly string[]): string =>
  names.length > 0 && !dice.slip(6)
    ? dice.pick(names)
    : dice.pick(dice.slip(30) ? HOSTILE_KEYS : ["p0", "r0", "c0"]);
