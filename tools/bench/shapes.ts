/** The measured graphs. The number of dependencies determines the cost of convergence. */
import type { JsonObject } from "#lib/json.ts";

export type Requires = (index: number, size: number) => readonly number[];

const LAYERS = 10;
const GRID_REQUIRES = 3;

export const SHAPES: Readonly<Record<string, Requires>> = {
  independent: () => [],
  chain: (index) => (index === 0 ? [] : [index - 1]),
  "fan-in": (index, size) => (index === size - 1 ? [...Array(size - 1).keys()] : []),
  /** Ten layers. Each resource waits for three resources of the previous layer. */
  grid: (index, size) => {
    const width = Math.ceil(size / LAYERS);
    const layer = Math.floor(index / width);
    if (layer === 0) return [];
    const beside = Array.from({ length: GRID_REQUIRES }, (_, by) => (index + by) % width);
    return [...new Set(beside)].map((column) => (layer - 1) * width + column);
  },
};

const CHANGED = "-changed";

export type Changed = "none" | "last" | "first and last" | "all";

const nameOf = (index: number): string => `r${index}`;

export const resourceValue = (index: number, size: number, changed: Changed): string => {
  const isChanged = {
    none: false,
    last: index === size - 1,
    "first and last": index === 0 || index === size - 1,
    all: true,
  };
  return isChanged[changed] ? nameOf(index) + CHANGED : nameOf(index);
};

export const templateOf = (
  requires: Requires,
  size: number,
  changed: Changed = "none",
): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: Object.fromEntries(
    Array.from({ length: size }, (_, index) => [
      nameOf(index),
      {
        type: "OS::Heat::TestResource",
        properties: { value: resourceValue(index, size, changed) },
        depends_on: requires(index, size).map(nameOf),
      },
    ]),
  ),
});
