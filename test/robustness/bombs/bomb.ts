/** A bomb is a small request that asks for very much work, memory or depth. */
import type { Json, JsonObject } from "#lib/json.ts";
import { EXPANDED_CHARACTERS_MAX } from "#lib/template/json-shape.ts";
import type { Dice } from "../dice.ts";
import { EMPTY_REQUEST, type PlayedRequest } from "../input.ts";

export type Bomb = (dice: Dice) => PlayedRequest;

export const VERSION = "2021-04-16";

/** Sizes of all orders of magnitude, so that limits are met from both sides. */
export const sizeUpTo = (dice: Dice, most: number): number =>
  Math.max(1, Math.floor(most / 2 ** dice.below(8)));

export const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

export const mapOf = (count: number, make: (at: number) => readonly [string, Json]): JsonObject =>
  Object.fromEntries(times(count, make));

export const requestOf = (
  sections: JsonObject,
  over: Partial<PlayedRequest> = {},
): PlayedRequest => ({
  ...EMPTY_REQUEST,
  template: { heat_template_version: VERSION, ...sections },
  ...over,
});

const copiesOf = (value: Json, most: number): number =>
  Math.max(1, Math.min(most, Math.ceil(EXPANDED_CHARACTERS_MAX / JSON.stringify(value).length)));

export const placed = (dice: Dice, value: Json, sections: JsonObject = {}): PlayedRequest => {
  const resource = { type: "OS::Heat::Value", properties: { value } };
  const kind = dice.below(3);
  if (kind === 0) return requestOf({ ...sections, outputs: { o: { value } } });
  const count = kind === 1 ? 1 : copiesOf(value, sizeUpTo(dice, 64));
  return requestOf({ ...sections, resources: mapOf(count, (at) => [`r${at}`, resource]) });
};
