import type { Json } from "#lib/json.ts";
import type { Dice } from "../dice.ts";
import { EMPTY_REQUEST } from "../input.ts";
import { type Bomb, mapOf, requestOf, sizeUpTo, times, VERSION } from "./bomb.ts";

const NONE = "OS::Heat::None";

const cycles: Bomb = (dice) => {
  const count = sizeUpTo(dice, 3_000);
  return requestOf({
    resources: mapOf(count, (at) => [
      `r${at}`,
      { type: NONE, depends_on: [`r${(at + 1) % count}`, `r${dice.below(count)}`] },
    ]),
  });
};

const edges: Bomb = (dice) => {
  const count = sizeUpTo(dice, 300);
  return requestOf({
    resources: mapOf(count, (at) => [
      `r${at}`,
      {
        type: NONE,
        depends_on: times(at, (other) => `r${other}`),
        properties: { a: times(Math.min(at, 20), (other) => ({ get_resource: `r${other}` })) },
      },
    ]),
  });
};

const conditions: Bomb = (dice) => {
  const count = sizeUpTo(dice, 2_000);
  const width = 1 + dice.below(4);
  const word = dice.pick(["and", "or"]);
  return requestOf({
    conditions: mapOf(count, (at) => [
      `c${at}`,
      dice.chance(2)
        ? true
        : { [word]: times(width + 1, () => `c${Math.min(at + 1 + dice.below(3), count)}`) },
    ]),
    resources: mapOf(sizeUpTo(dice, 200), (at) => [
      `r${at}`,
      { type: NONE, condition: `c${dice.below(count)}` },
    ]),
  });
};

const deepConditions: Bomb = (dice) => {
  const condition = times(sizeUpTo(dice, 190), () => 0).reduce<Json>(
    (inner) => ({ not: inner }),
    "c1",
  );
  return requestOf({
    conditions: { c0: condition, c1: { equals: [1, 1] } },
    outputs: { o: { value: { if: ["c0", 1, 2] } } },
  });
};

const childOf = (below: string, count: number, dice: Dice): string =>
  JSON.stringify({
    heat_template_version: VERSION,
    parameters: { p: { type: "string", default: "x" } },
    resources: mapOf(count, (at) => [
      `r${at}`,
      {
        type: below,
        properties: dice.chance(50)
          ? { p: { list_join: ["", [{ get_param: "p" }, String(at)]] } }
          : {},
      },
    ]),
  });

const nests: Bomb = (dice) => {
  const width = sizeUpTo(dice, 40);
  const levels = 1 + dice.below(6);
  const files = mapOf(levels, (at) => [
    `l${at}.yaml`,
    childOf(
      at + 1 < levels ? `l${at + 1}.yaml` : dice.pick([NONE, "l0.yaml", "OS::Heat::Value"]),
      width,
      dice,
    ),
  ]);
  return {
    ...requestOf({ resources: mapOf(width, (at) => [`r${at}`, { type: "l0.yaml" }]) }),
    files: Object.fromEntries(Object.entries(files).map(([name, text]) => [name, String(text)])),
  };
};

const quotedNests: Bomb = (dice) => {
  const inner = times(sizeUpTo(dice, 6), () => 0).reduce<string>(
    (below) =>
      JSON.stringify({
        heat_template_version: VERSION,
        resources: mapOf(sizeUpTo(dice, 4), (at) => [
          `r${at}`,
          { type: "OS::Heat::Stack", properties: { template: below } },
        ]),
      }),
    `heat_template_version: ${VERSION}`,
  );
  return { ...EMPTY_REQUEST, template: inner.slice(0, 500_000) };
};

const registries: Bomb = (dice) => {
  const stars = "a*".repeat(sizeUpTo(dice, 40));
  const name = "a".repeat(sizeUpTo(dice, 250));
  const count = sizeUpTo(dice, 2_000);
  const wild = mapOf(count, (at) => [dice.pick([`T${at}::*`, `${stars}${at}`]), `U${at}::*`]);
  return {
    ...requestOf({
      resources: mapOf(sizeUpTo(dice, 300), (at) => [`${name}${at}`, { type: `T${at}::x` }]),
    }),
    environment: {
      resource_registry: {
        ...(dice.chance(50) ? wild : {}),
        resources: mapOf(sizeUpTo(dice, 300), (at) => [
          `${stars}${at}b`,
          { hooks: "pre-create", "T::*": NONE },
        ]),
      },
    },
  };
};

const registryLoops: Bomb = (dice) => ({
  ...requestOf({ resources: { r: { type: "T0" } } }),
  environment: {
    resource_registry: mapOf(sizeUpTo(dice, 2_000), (at) => [
      `T${at}`,
      dice.chance(95) ? `T${at + 1}` : dice.pick(["T0", "T*", "child.yaml"]),
    ]),
  },
});

export const STRUCTURE_BOMBS: Readonly<Record<string, Bomb>> = {
  cycles,
  edges,
  conditions,
  deepConditions,
  nests,
  quotedNests,
  registries,
  registryLoops,
};
