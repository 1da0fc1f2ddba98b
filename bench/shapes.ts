/** The graphs that are measured: how many resources wait for how many others is what convergence costs. */
import type { JsonObject } from "#lib/json.ts";

/** Whom the resource with this index waits for. */
type Requires = (index: number, size: number) => readonly number[];

const GRID_WIDTH = 10;

export const SHAPES: Readonly<Record<string, Requires>> = {
  independent: () => [],
  chain: (index) => (index === 0 ? [] : [index - 1]),
  /** All the others first, then the last. */
  "fan-in": (index, size) => (index === size - 1 ? [...Array(size - 1).keys()] : []),
  /** Rows of ten; each waits for the one above and that one's right neighbour. */
  grid: (index) => {
    if (index < GRID_WIDTH) return [];
    const above = index - GRID_WIDTH;
    const beside = above - (above % GRID_WIDTH) + ((above + 1) % GRID_WIDTH);
    return [above, beside];
  },
};

const nameOf = (index: number): string => `r${index}`;

/** TestResources that need no time of their own, so that all of it is the engine's. */
export const templateOf = (requires: Requires, size: number): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: Object.fromEntries(
    Array.from({ length: size }, (_, index) => [
      nameOf(index),
      {
        type: "OS::Heat::TestResource",
        properties: { value: nameOf(index) },
        depends_on: requires(index, size).map(nameOf),
      },
    ]),
  ),
});
