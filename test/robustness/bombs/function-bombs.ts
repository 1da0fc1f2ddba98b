import type { Json } from "#lib/json.ts";
import type { Dice } from "../dice.ts";
import { type Bomb, mapOf, placed, sizeUpTo, times } from "./bomb.ts";

const nested = (depth: number, innermost: Json, around: (inner: Json) => Json): Json =>
  times(depth, () => null).reduce<Json>(around, innermost);

const doublings: Bomb = (dice) => {
  const text = "a".repeat(sizeUpTo(dice, 64));
  return placed(
    dice,
    nested(sizeUpTo(dice, 40), "bb", (inner) => ({
      str_replace: { template: text, params: { a: inner } },
    })),
  );
};

const replacements: Bomb = (dice) => {
  const count = sizeUpTo(dice, 8_000);
  const text = "<1><2>".repeat(sizeUpTo(dice, 20_000));
  const params = mapOf(count, (at) => [`<${at}>`, dice.chance(50) ? "" : "x".repeat(20)]);
  return placed(dice, {
    [dice.pick(["str_replace", "str_replace_strict"])]: { template: text, params },
  });
};

const permutations: Bomb = (dice) => {
  const items = times(sizeUpTo(dice, 64), String);
  const lists = sizeUpTo(dice, 12);
  const variable = (at: number): string => `%${at}%`;
  const repeat = (template: Json): Json => ({
    repeat: {
      template,
      for_each: mapOf(lists, (at) => [variable(at), items]),
      ...(dice.chance(20) ? { permutations: dice.chance(50) } : {}),
    },
  });
  const all = times(lists, variable).join("-");
  return placed(dice, repeat(dice.chance(30) ? repeat(all) : { [all]: [all, "x".repeat(64)] }));
};

const growingVariables: Bomb = (dice) =>
  placed(dice, {
    repeat: {
      template: "%0%",
      for_each: mapOf(sizeUpTo(dice, 40), (at) => [`%${at}%`, [`%${at + 1}%`.repeat(8)]]),
    },
  });

const joins: Bomb = (dice) => {
  const list = times(sizeUpTo(dice, 20_000), () => "");
  return placed(dice, { list_join: ["x".repeat(sizeUpTo(dice, 20_000)), list] });
};

const LARGE = { type: "json", default: mapOf(500, (at) => [`key${at}`, "v".repeat(20)]) };
const LIST = { type: "json", default: times(3_000, (at) => ({ at, text: "x" })) };
const TEXT = { type: "string", default: "a b,".repeat(10_000) };
const PARAMETERS = { large: LARGE, list: LIST, text: TEXT };
const LARGE_VALUE: Json = { get_param: "large" };
const LIST_VALUE: Json = { get_param: "list" };
const TEXT_VALUE: Json = { get_param: "text" };

const AROUND: readonly ((dice: Dice) => Json)[] = [
  (dice) => ({ map_merge: times(sizeUpTo(dice, 2_000), () => LARGE_VALUE) }),
  (dice) => ({ list_concat: times(sizeUpTo(dice, 1_000), () => LIST_VALUE) }),
  (dice) => ({ list_concat_unique: times(sizeUpTo(dice, 64), () => LIST_VALUE) }),
  (dice) => ({ list_join: [",", ...times(sizeUpTo(dice, 500), () => LIST_VALUE)] }),
  (dice) => times(sizeUpTo(dice, 5_000), () => TEXT_VALUE),
  () => ({ map_replace: [LARGE_VALUE, { keys: LARGE_VALUE, values: LARGE_VALUE }] }),
  () => ({ filter: [LIST_VALUE, LIST_VALUE] }),
  (dice) => times(sizeUpTo(dice, 2_000), () => ({ contains: ["y", TEXT_VALUE] })),
  (dice) => times(sizeUpTo(dice, 2_000), () => ({ contains: [{ at: 1 }, LIST_VALUE] })),
  (dice) => times(sizeUpTo(dice, 500), () => ({ digest: ["sha512", TEXT_VALUE] })),
  (dice) => times(sizeUpTo(dice, 500), () => ({ digest: ["ripemd160", TEXT_VALUE] })),
  (dice) => times(sizeUpTo(dice, 500), () => ({ str_split: [",", TEXT_VALUE, 1] })),
  (dice) => times(sizeUpTo(dice, 500), () => ({ str_split: [null, TEXT_VALUE, 1] })),
  (dice) =>
    times(sizeUpTo(dice, 500), () => ({ make_url: { scheme: TEXT_VALUE, path: TEXT_VALUE } })),
  (dice) => ({
    repeat: { template: LARGE_VALUE, for_each: { "%a%": times(sizeUpTo(dice, 500), String) } },
  }),
  (dice) => ({
    repeat: { template: TEXT_VALUE, for_each: { a: times(sizeUpTo(dice, 500), String) } },
  }),
  (dice) => ({
    repeat: { template: TEXT_VALUE, for_each: { "": times(sizeUpTo(dice, 50), String) } },
  }),
  (dice) => nested(sizeUpTo(dice, 190), TEXT_VALUE, (inner) => ({ list_join: ["", [inner]] })),
  // Each level doubles the text, and a request's text has at most 4 MiB.
  (dice) => nested(sizeUpTo(dice, 12), LIST_VALUE, (inner) => ({ list_concat: [inner, inner] })),
  (dice) => nested(sizeUpTo(dice, 12), LARGE_VALUE, (inner) => ({ if: [true, inner, inner] })),
];

const multiplied: Bomb = (dice) =>
  placed(dice, dice.pick(AROUND)(dice), { parameters: PARAMETERS });

const deepValue: Bomb = (dice) =>
  placed(
    dice,
    nested(sizeUpTo(dice, 400), "x", (inner) => (dice.chance(50) ? [inner] : { "": inner })),
  );

export const FUNCTION_BOMBS: Readonly<Record<string, Bomb>> = {
  doublings,
  replacements,
  permutations,
  growingVariables,
  joins,
  multiplied,
  deepValue,
};
