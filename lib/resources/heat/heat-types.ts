/** The types that only compute: they have no object anywhere. */
import type { Random } from "#lib/ports/random.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { none } from "./none.ts";
import { randomString } from "./random-string.ts";
import { retiredTypes } from "./retired.ts";
import { value } from "./value.ts";

export const heatTypes = (random: Random): readonly ResourceType[] => [
  none,
  ...retiredTypes,
  value,
  randomString(random),
];
