import type { Json } from "#lib/json.ts";
import type { Dice } from "../dice.ts";
import { CUSTOM_CONSTRAINTS } from "../generate/parameters.ts";
import { EMPTY_REQUEST } from "../input.ts";
import { type Bomb, mapOf, requestOf, sizeUpTo, times } from "./bomb.ts";

const PATTERNS: readonly ((dice: Dice) => string)[] = [
  () => "(a+)+$",
  () => "(a|aa)+$",
  () => "(.*a){20}",
  () => "((a{0,100}){0,100}){0,100}",
  () => "(a{1000}){1000}",
  () => "(?=(a+))a*b",
  () => "(a*)*\\1b",
  (dice) => "(".repeat(sizeUpTo(dice, 20_000)),
  (dice) => "a?".repeat(sizeUpTo(dice, 2_000)) + "a".repeat(sizeUpTo(dice, 2_000)),
  (dice) => `[${times(sizeUpTo(dice, 5_000), (at) => String.fromCodePoint(1_000 + at)).join("")}]*`,
  (dice) => times(sizeUpTo(dice, 10_000), String).join("|"),
  (dice) => "(?i)".repeat(sizeUpTo(dice, 100)) + "\\w*".repeat(sizeUpTo(dice, 500)),
];

const patterns: Bomb = (dice) => ({
  ...requestOf({
    parameters: {
      p: { type: "string", constraints: [{ allowed_pattern: dice.pick(PATTERNS)(dice) }] },
    },
  }),
  parameters: { p: "a".repeat(sizeUpTo(dice, 100_000)) + dice.pick(["", "!", "b"]) },
});

const allowed: Bomb = (dice) => {
  const values = times(sizeUpTo(dice, 10_000), (at) => (dice.chance(90) ? `value${at}` : at));
  const type = dice.pick(["comma_delimited_list", "string", "number"]);
  return {
    ...requestOf({ parameters: { p: { type, constraints: [{ allowed_values: values }] } } }),
    parameters: { p: times(sizeUpTo(dice, 10_000), (at) => `value${at}`).join(",") },
  };
};

const UNITS = [
  "a",
  "1",
  ":",
  ".",
  "-",
  "a.",
  "1:",
  "*/",
  "0,",
  " ",
  "2020-",
  "[",
  '{"a":',
  "9",
  "A/",
];

const custom: Bomb = (dice) => ({
  ...requestOf({
    parameters: {
      p: { type: "string", constraints: [{ custom_constraint: dice.pick(CUSTOM_CONSTRAINTS) }] },
    },
  }),
  parameters: { p: dice.pick(UNITS).repeat(sizeUpTo(dice, 100_000)) + dice.pick(["", "!", "Z"]) },
});

/** Every error shows many secrets, and each secret is searched for in the error. */
const secrets: Bomb = (dice) => {
  const values = times(sizeUpTo(dice, 10_000), (at) => dice.pick([String(at), `secret${at}`, "a"]));
  return {
    ...requestOf({
      parameters: {
        p: { type: "json", hidden: true },
        q: { type: "string", default: "x" },
      },
      outputs: mapOf(sizeUpTo(dice, 200), (at) => [
        `o${at}`,
        { value: { list_join: [1, [{ get_param: "p" }]] } },
      ]),
      resources: {
        r: { type: "OS::Heat::Value", properties: { type: { get_param: "p" }, value: 1 } },
      },
    }),
    parameters: { p: values },
  };
};

const merges: Bomb = (dice) => {
  const count = sizeUpTo(dice, 100);
  const names = times(count, (at) => `e${at}.yaml`);
  const value = dice.pick<Json>([
    "x".repeat(sizeUpTo(dice, 20_000)),
    times(sizeUpTo(dice, 2_000), String),
    mapOf(sizeUpTo(dice, 1_000), (at) => [`k${at}`, { a: "x", b: ["y"] }]),
  ]);
  const file = JSON.stringify({
    parameters: { p: value },
    parameter_merge_strategies: { p: dice.pick(["merge", "deep_merge"]) },
  });
  const type = dice.pick(["string", "comma_delimited_list", "json"]);
  return {
    ...requestOf({ parameters: { p: { type } }, outputs: { o: { value: { get_param: "p" } } } }),
    files: Object.fromEntries(names.map((name) => [name, file])),
    environmentFiles: dice.chance(20) ? times(count * 10, () => names[0] ?? "") : names,
  };
};

const jsonTexts: Bomb = (dice) => {
  const depth = sizeUpTo(dice, 100_000);
  const text = dice.pick([
    "[".repeat(depth) + "]".repeat(depth),
    '{"a":'.repeat(depth),
    `[${"1.0,".repeat(depth)}1]`,
    "9".repeat(depth),
    `1e${"9".repeat(dice.below(10))}`,
    `"${"\\u0000".repeat(depth)}"`,
    `${" ".repeat(depth)}[`,
    `[${"1 ".repeat(depth)}`,
  ]);
  return {
    ...requestOf({
      parameters: { p: { type: dice.pick(["json", "number", "comma_delimited_list", "boolean"]) } },
      outputs: { o: { value: { get_param: ["p", 0, "a"] } } },
    }),
    parameters: { p: text },
  };
};

const groups: Bomb = (dice) => {
  const count = sizeUpTo(dice, 5_000);
  return requestOf({
    parameters: mapOf(count, (at) => [`p${at}`, { type: "string", default: "x" }]),
    parameter_groups: times(sizeUpTo(dice, 500), (at) => ({
      label: `g${at}`,
      parameters: times(sizeUpTo(dice, 50), (one) => `p${at * 50 + one}`),
    })),
  });
};

const numbers: Bomb = (dice) => {
  const digits = "9".repeat(sizeUpTo(dice, 40_000));
  const number = dice.pick([
    digits,
    `-${digits}`,
    `0x${digits}`,
    `${digits}.${digits}`,
    `1e${digits}`,
    `${"1:".repeat(sizeUpTo(dice, 5_000))}1`,
    `1${"_1".repeat(sizeUpTo(dice, 5_000))}`,
  ]);
  const template = `heat_template_version: 2021-04-16\nparameters:\n  p: {type: number, default: ${number}, constraints: [{range: {min: ${number}}}, {modulo: {step: ${number}, offset: 1}}]}\noutputs:\n  o: {value: {get_param: p}}\n`;
  return { ...EMPTY_REQUEST, template };
};

export const PARAMETER_BOMBS: Readonly<Record<string, Bomb>> = {
  patterns,
  allowed,
  custom,
  secrets,
  merges,
  jsonTexts,
  groups,
  numbers,
};
