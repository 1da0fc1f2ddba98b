import type { Dice } from "../dice.ts";
import { EMPTY_REQUEST } from "../input.ts";
import { type Bomb, sizeUpTo, times } from "./bomb.ts";

const laughs = (levels: number, width: number, item: string): string =>
  times(levels, (at) => {
    const items = at === 0 ? item : `*a${at - 1}`;
    return `a${at}: &a${at} [${times(width, () => items).join(", ")}]`;
  }).join("\n");

const TEXTS: readonly ((dice: Dice) => string)[] = [
  (dice) => laughs(sizeUpTo(dice, 40), 1 + dice.below(12), dice.pick(["lol", "1", "{}", '"x y"'])),
  (dice) =>
    `a: &a [${times(sizeUpTo(dice, 2_000), () => "x").join(",")}]\nb: [${times(sizeUpTo(dice, 2_000), () => "*a").join(",")}]`,
  (dice) =>
    `a: &a {k: ${"v".repeat(sizeUpTo(dice, 200_000))}}\nb: [${times(sizeUpTo(dice, 5_000), () => "*a").join(",")}]`,
  (dice) =>
    times(
      sizeUpTo(dice, 3_000),
      (at) => `m${at}: &m${at}\n  k${at}: 1\n  ${at === 0 ? "x: 1" : `<<: *m${at - 1}`}`,
    ).join("\n"),
  (dice) => `b: &b {x: 1}\nm:\n  <<: [${times(sizeUpTo(dice, 20_000), () => "*b").join(", ")}]`,
  () => "a: &a [*a]",
  () => "a: &a {b: *a}",
  () => "a: &a\n  <<: *a\n",
  () => "a: *nothing",
  () => "<<: 1",
  () => "<<: [1, 2]",
  () => "&a a: *a",
  () => "? {a: 1}\n: b",
  () => "? [a, b]\n: c\n? 1\n: d\n? ~\n: e\n? true\n: f",
  () => "__proto__: {polluted: true}\nconstructor: {prototype: {polluted: true}}",
  () => "outputs: {__proto__: {value: 1}}",
  () => "%YAML 1.2\n---\na: b",
  () => "%TAG ! tag:x,2000:\n---\na: !y b",
  () => "a: !!binary AAAA\nb: !!set {x}\nc: !!omap [a: 1]\nd: !!timestamp 2020-01-01",
  () => "a: !<tag:yaml.org,2002:str> b",
  () => "a: |99\n b",
  () => "a: >-+\n  b\n",
  () => "a:\tb\n\tc: d",
  () => "a: b: c",
  () => "a: 'b",
  () => 'a: "\\x"',
  () => 'a: "\\U0011FFFF"',
  () => "a: \ud800",
  () => "\ufeffa: b",
  () => "a: \u0000",
  () => "- - - - a\n  - b",
  () => "...\n---\n...",
  () => "a: 0o8\nb: 09\nc: 0b2\nd: +\ne: .\nf: -_\ng: 1e5\nh: .inf\ni: -.INF\nj: .nan",
  (dice) => `${"k".repeat(sizeUpTo(dice, 100_000))}: 1`,
  (dice) => `a: ${"x ".repeat(sizeUpTo(dice, 100_000))}`,
  (dice) => `a: "${"\\\n ".repeat(sizeUpTo(dice, 50_000))}"`,
  (dice) => `a: ${"[".repeat(sizeUpTo(dice, 100_000))}`,
  (dice) => `a: ${"{".repeat(sizeUpTo(dice, 100_000))}`,
  (dice) => `a: ${"[{a: ".repeat(sizeUpTo(dice, 5_000))}`,
  (dice) => `${"- ".repeat(sizeUpTo(dice, 50_000))}a`,
  (dice) => times(sizeUpTo(dice, 1_000), (at) => `${" ".repeat(at)}a:`).join("\n"),
  (dice) => "? ".repeat(sizeUpTo(dice, 20_000)),
  (dice) => "a: |\n".repeat(sizeUpTo(dice, 20_000)),
  (dice) => `a: |\n${" \n".repeat(sizeUpTo(dice, 50_000))}  b`,
  (dice) => "# c\n".repeat(sizeUpTo(dice, 50_000)),
  (dice) => "&a ".repeat(sizeUpTo(dice, 20_000)),
  (dice) => "!!str ".repeat(sizeUpTo(dice, 20_000)),
  (dice) => "---\n".repeat(sizeUpTo(dice, 20_000)),
  (dice) => "\t".repeat(sizeUpTo(dice, 100_000)),
  (dice) => "'".repeat(sizeUpTo(dice, 100_000)),
  (dice) => `a: ${"9".repeat(sizeUpTo(dice, 100_000))}`,
  (dice) => `a: ${"1:".repeat(sizeUpTo(dice, 50_000))}1`,
  (dice) => `a: 0x${"f".repeat(sizeUpTo(dice, 50_000))}`,
  (dice) => `[${"1,".repeat(sizeUpTo(dice, 100_000))}1]`,
  (dice) => `{${times(sizeUpTo(dice, 20_000), (at) => `"k${at}": 1`).join(",")}}`,
  (dice) => times(sizeUpTo(dice, 10_000), (at) => `k${at}: {a: &x${at} 1}`).join("\n"),
  (dice) => times(sizeUpTo(dice, 10_000), () => "k: 1").join("\n"),
];

const text: Bomb = (dice) => {
  const bomb = dice.pick(TEXTS)(dice);
  const version = "heat_template_version: 2021-04-16";
  const template = dice.pick([`${version}\n${bomb}\n`, `${bomb}\n${version}\n`, bomb]);
  if (dice.chance(70)) return { ...EMPTY_REQUEST, template };
  return { ...EMPTY_REQUEST, template: version, environment: bomb };
};

export const TEXT_BOMBS: Readonly<Record<string, Bomb>> = { text };
