/** The graphs that are measured: how many resources wait for how many others is what convergence costs. */
import type { JsonObject } from "#lib/json.ts";

/** Whom the resource with this index waits for. */
export type Requires = (index: number, size: number) => readonly number[];

const LAYERS = 10;
const GRID_REQUIRES = 3;

export const SHAPES: Readonly<Record<string, Requires>> = {
  independent: () => [],
  chain: (index) => (index === 0 ? [] : [index - 1]),
  /** All the others first, then the last. */
  "fan-in": (index, size) => (index === size - 1 ? [...Array(size - 1).keys()] : []),
  /** Ten layers; each waits for three of the layer before, as in the figures of the peers. */
  grid: (index, size) => {
    const width = Math.ceil(size / LAYERS);
    const layer = Math.floor(index / width);
    if (layer === 0) return [];
    const beside = Array.from({ length: GRID_REQUIRES }, (_, by) => (index + by) % width);
    return [...new Set(beside)].map((column) => (layer - 1) * width + column);
  },
};

/** The value that the last resource is updated to. */
export const CHANGED = "changed";

const nameOf = (index: number): string => `r${index}`;

/** TestResources that need no time of their own, so that all of it is the engine's. `last` is the value of the last of them. */
export const templateOf = (
  requires: Requires,
  size: number,
  last = nameOf(size - 1),
): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: Object.fromEntries(
    Array.from({ length: size }, (_, index) => [
      nameOf(index),
      {
        type: "OS::Heat::TestResource",
        properties: { value: index === size - 1 ? last : nameOf(index) },
        depends_on: requires(index, size).map(nameOf),
      },
    ]),
  ),
});
