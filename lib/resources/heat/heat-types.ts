import type { Random } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { accessPolicy } from "./access-policy.ts";
import { delay } from "./delay.ts";
import { none } from "./none.ts";
import { randomString } from "./random-string.ts";
import { retiredTypes } from "./retired.ts";
import { value } from "./value.ts";

export const heatTypes = (random: Random): readonly ResourceType[] => [
  accessPolicy,
  delay,
  none,
  ...retiredTypes,
  value,
  randomString(random),
];
