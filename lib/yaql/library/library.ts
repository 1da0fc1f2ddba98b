/** yaql's standard library except for date and time. */
import { Context } from "../context.ts";
import { AGGREGATION } from "./aggregation.ts";
import { BRANCHING } from "./branching.ts";
import { COMPARISON } from "./comparison.ts";
import { DICTIONARIES } from "./dictionaries.ts";
import { FILTERING } from "./filtering.ts";
import { GENERATING } from "./generating.ts";
import { GROUPING } from "./grouping.ts";
import { LISTS } from "./lists.ts";
import { MATH } from "./math.ts";
import { REGEXES } from "./regexes.ts";
import { SETS } from "./sets.ts";
import { STRINGS } from "./strings.ts";
import { FALLBACKS, SYSTEM } from "./system.ts";

const FAMILIES = [SYSTEM, COMPARISON, BRANCHING, STRINGS, MATH, LISTS, DICTIONARIES, SETS]
  .concat([FILTERING, AGGREGATION, GENERATING, GROUPING, REGEXES])
  .flat();

const contextOf = (parent: Context | null, definitions: typeof FAMILIES): Context => {
  const context = new Context(parent);
  for (const definition of definitions) context.register(definition);
  return context;
};

export const LIBRARY: Context = contextOf(contextOf(null, [...FALLBACKS]), FAMILIES);
