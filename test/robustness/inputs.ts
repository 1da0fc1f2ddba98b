/** Input K of a seed. Half of the inputs follow the grammar; the others are mutated files. */
import type { Ports } from "#lib/ports/ports.ts";
import type { Bomb } from "./bombs/bomb.ts";
import { FUNCTION_BOMBS } from "./bombs/function-bombs.ts";
import { PARAMETER_BOMBS } from "./bombs/parameter-bombs.ts";
import { STRUCTURE_BOMBS } from "./bombs/structure-bombs.ts";
import { TEXT_BOMBS } from "./bombs/text-bombs.ts";
import { YAQL_BOMBS } from "./bombs/yaql-bombs.ts";
import { type Dice, diceOf } from "./dice.ts";
import { aRequest } from "./generate/requests.ts";
import { type KnownTypes, knownTypes } from "./generate/resources.ts";
import { yaqlText } from "./generate/yaql-text.ts";
import { EMPTY_REQUEST, type Input } from "./input.ts";
import { mutantOfText, mutantOfTree, type Seeds, withDocuments } from "./mutate/mutants.ts";
import { readSeeds } from "./mutate/seeds.ts";

const BOMBS: readonly (readonly [string, Bomb])[] = Object.entries({
  ...FUNCTION_BOMBS,
  ...YAQL_BOMBS,
  ...STRUCTURE_BOMBS,
  ...PARAMETER_BOMBS,
  ...TEXT_BOMBS,
});
/** A bomb takes as long as hundreds of other inputs. */
const BOMBS_PERMILLE = 10;

const expressions = (dice: Dice): Input["request"] => {
  const outputs = Array.from({ length: 3 }, (_, at) => [
    `o${at}`,
    {
      value: {
        yaql: {
          expression: yaqlText(dice),
          data: { a: { b: [1, "x", null] }, list: [3, 1, 2, 2], "": {}, constructor: 1 },
        },
      },
    },
  ]);
  const template = { heat_template_version: "2021-04-16", outputs: Object.fromEntries(outputs) };
  return { ...EMPTY_REQUEST, template };
};

export type InputOf = (seed: number, number: number) => Input;

const inputFrom = (types: KnownTypes, seeds: Seeds): InputOf => {
  return (seed, number) => {
    const dice = diceOf(seed, number);
    if (dice.below(1_000) < BOMBS_PERMILLE) {
      const [name, bomb] = dice.pick(BOMBS);
      return { kind: `bomb ${name}`, request: bomb(dice) };
    }
    const kind = dice.below(100);
    if (kind < 45) return { kind: "grammar", request: aRequest(dice, types) };
    if (kind < 52) return { kind: "yaql", request: expressions(dice) };
    if (kind < 78) return { kind: "changed text", request: mutantOfText(seeds, dice) };
    return { kind: "changed tree", request: mutantOfTree(seeds, dice) };
  };
};

export const readInputs = async (ports: Ports, corpus: string | undefined): Promise<InputOf> =>
  inputFrom(await knownTypes(ports.resourceTypes), withDocuments(readSeeds(corpus)));
