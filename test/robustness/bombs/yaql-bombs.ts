import type { Dice } from "../dice.ts";
import { type Bomb, placed, requestOf, sizeUpTo, times } from "./bomb.ts";

const chain = (dice: Dice, start: string, more: string, most: number): string =>
  start + more.repeat(sizeUpTo(dice, most));

const EXPRESSIONS: readonly ((dice: Dice) => string)[] = [
  () => "sequence().sum()",
  () => "[1].cycle().toList().len()",
  () => "range(200).select(range(200).select(range(200).select($).sum()).sum()).sum()",
  () => "range(200).selectMany(range(200)).len()",
  () => "range(100).join(range(100), true, $1 * $2).join(range(100), true, 1).len()",
  () => "let(f => range(190)) -> $f.orderBy(-$).thenBy($).groupBy($ mod 3).toList()",
  () => "pow(10, 1000000000)",
  () => "shiftBitsLeft(1, 1000000000)",
  () => "(2 * 10000000000000000000000).pow(40000)",
  () => "pow(3, pow(2, 300), pow(7, 400))",
  () => "'x' * 100000000",
  () => "[1] * 100000000",
  () => "'abc'.join(range(200).select('x' * 200))",
  () => "def(f, f($ + 1)) -> f(1)",
  () => "def(f, f($) + f($)) -> f(1)",
  () => "lambda(lambda($))",
  () => "generate(1, true, $ * $ * $ + 7)",
  () => "generateMany(1, [$, $ + 1])",
  () => "generateMany('a', [$ + 'a', $ + 'b'], decycle => true)",
  () => "[1, 2, 3].aggregate($1 + [$1, $2], [])",
  () => "range(150).accumulate([$1, $1], []).toList().last()",
  () => "range(150).aggregate([$1, $1], []).len()",
  () => "range(60).aggregate([$1, $1], []) = range(60).aggregate([$1, $1], [])",
  () => "dict(range(190).select([[$], $])).keys().toList()",
  () => "let(range(40).aggregate({a => $1, b => $1}, {})) -> str($)",
  () => "$.data.text.replace('a', 'bb').replace('b', 'cc').replace('c', 'dd').replace('d', 'ee')",
  () => "$.data.text.split('').select($ * 50).join('')",
  () => "$.data.text.matches('(a+)+$')",
  () => "regex('(a|a)*b').searchAll($.data.text)",
  () => "regex('(a{1,500}){1,500}').matches($.data.text)",
  () => "$.data.text =~ '((a?){50})(a{50})'",
  () => "regex('').replace($.data.text, 'xxxxxxxxxxxxxxxxxxxx')",
  () => "$.data.text.toCharArray().permutations()",
  () => "$.data.list.orderBy($.data.list.orderBy($).first()).toList()",
  () => "$.data.list.where($ in $$.data.list)",
  () => "format('{0:99999999}', 1)",
  () => "$.data.list.mergeWith($.data.list)",
  () => "zip(range(100), range(100), range(100)).flatten().zipLongest(range(100))",
  (dice) => chain(dice, "1", " + 1", 16_000),
  (dice) => chain(dice, "$", ".a", 16_000),
  (dice) => chain(dice, "$.data.list", ".select($)", 4_000),
  (dice) => chain(dice, "$.data.list", "[true]", 4_000),
  (dice) => chain(dice, "'x'", " + 'x'", 10_000),
  (dice) => chain(dice, "$", " -> $", 8_000),
  (dice) => "(".repeat(sizeUpTo(dice, 60_000)),
  (dice) => "[".repeat(sizeUpTo(dice, 200)) + "]".repeat(sizeUpTo(dice, 200)),
  (dice) => `'${"\\".repeat(sizeUpTo(dice, 60_000))}`,
  (dice) => "not ".repeat(sizeUpTo(dice, 15_000)),
  (dice) => "9".repeat(sizeUpTo(dice, 60_000)),
  (dice) => `round(1.5, ${"9".repeat(sizeUpTo(dice, 5_000))})`,
  (dice) => `pow(${"9".repeat(sizeUpTo(dice, 4_000))}, ${"9".repeat(sizeUpTo(dice, 5))})`,
  (dice) => `list(${times(sizeUpTo(dice, 20_000), String).join(", ")})`,
  (dice) => `f(${times(sizeUpTo(dice, 8_000), (at) => `a${at} => 1`).join(", ")})`,
  (dice) => `{${times(sizeUpTo(dice, 8_000), (at) => `a${at} => 1`).join(", ")}}`,
];

const data = (dice: Dice) => ({
  text: "a".repeat(sizeUpTo(dice, 9_000)),
  list: times(sizeUpTo(dice, 250), (at) => at % 7),
});

const expressions: Bomb = (dice) =>
  placed(dice, { yaql: { expression: dice.pick(EXPRESSIONS)(dice), data: data(dice) } });

const many: Bomb = (dice) => {
  const expression = dice.pick(EXPRESSIONS)(dice);
  const call = { yaql: { expression, data: data(dice) } };
  return placed(
    dice,
    times(sizeUpTo(dice, 200), () => call),
  );
};

const inConditions: Bomb = (dice) =>
  requestOf({
    conditions: Object.fromEntries(
      times(sizeUpTo(dice, 200), (at) => [
        `c${at}`,
        { equals: [{ yaql: { expression: dice.pick(EXPRESSIONS)(dice), data: {} } }, at] },
      ]),
    ),
    resources: { r: { type: "OS::Heat::None", condition: "c0" } },
  });

export const YAQL_BOMBS: Readonly<Record<string, Bomb>> = { expressions, many, inConditions };
