import { floatOf, integerOf, type Json, type JsonNumber } from "#lib/json.ts";
import type { Dice } from "../dice.ts";

const ORDINARY = [
  "a",
  "b",
  "web",
  "server-1",
  "10.0.0.0/24",
  "%a% is $b",
  "a,b,c",
  "x y",
  "1",
  "5",
];

export const HOSTILE_KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "__defineGetter__",
  "length",
  "",
  "0",
  "-1",
  "a.b",
  "a/b",
  "a\u0000b",
  "\ud800",
  "\udc00\ud800",
  "\u{1f600}",
  "<<",
  "*",
  "default",
  "get_param",
  "OS::stack_id",
  "k".repeat(300),
];

const HOSTILE_TEXTS = [
  ...HOSTILE_KEYS,
  "null",
  "~",
  "True",
  "off",
  "NaN",
  "-inf",
  "1e400",
  "0x1F",
  "0o17",
  "1_000",
  "1:60:61",
  "-0.0",
  "\u0663",
  "99999999999999999999",
  "2020-02-30",
  "[1",
  '{"a":',
  '{"__proto__": {"polluted": true}}',
  "[".repeat(300),
  '{"a":'.repeat(300),
  "a".repeat(5_000),
  ",".repeat(2_000),
  "\n\t\r\u2028\ufeff",
  "{{}}$a<%= 1 %>",
  "(a+)+$",
  "\\",
  "'\"`",
  "| &a *a !!python/object:os.system",
  "* * * * *",
  "0/0 0/0 0/0",
  "::1",
  "1.2.3.4/33",
];

const madeOf = (number: JsonNumber | null): Json => number;

const HOSTILE_NUMBERS: readonly Json[] = [
  0,
  1,
  -1,
  2,
  3.5,
  1e-320,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  madeOf(integerOf(10n ** 30n)),
  madeOf(integerOf(-(10n ** 4_000n))),
  madeOf(floatOf(1)),
  madeOf(floatOf(-0)),
  madeOf(floatOf(1e308)),
  madeOf(floatOf(1e20)),
];

export const aText = (dice: Dice): string => dice.pick(dice.chance(70) ? ORDINARY : HOSTILE_TEXTS);

export const aNumber = (dice: Dice): Json =>
  dice.chance(60) ? dice.below(12) : dice.pick(HOSTILE_NUMBERS);

export const aKey = (dice: Dice): string =>
  dice.chance(75) ? dice.pick(ORDINARY) : dice.pick(HOSTILE_KEYS);

export const aScalar = (dice: Dice): Json => {
  const kind = dice.below(10);
  if (kind < 5) return aText(dice);
  if (kind < 8) return aNumber(dice);
  return kind === 8 ? dice.chance(50) : null;
};

export const aMap = (dice: Dice, most: number, value: (at: number) => Json): Json =>
  Object.fromEntries(dice.some(most, (at) => [aKey(dice), value(at)]));
