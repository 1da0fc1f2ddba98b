/** How V8's heap grows in a host, which shares its machine with others. */
import { getHeapStatistics, setFlagsFromString } from "node:v8";

/** By default V8 lets the heap grow to a multiple before it collects all of it. */
const GROWING_PERCENT_SMALL = 100;
/**
 * A large heap is collected when it has grown by a fifth. That costs a few percent of the host's
 * time, and halves the memory at 100,000 resources. A small heap would be collected five times as
 * often for 40 MB, which is a third of the time of a create.
 */
const GROWING_PERCENT_LARGE = 20;
const LARGE_HEAP_BYTES = 96 * 1_024 * 1_024;
const LOOK_MS = 1_000;
/**
 * By default the part of the heap for new objects grows to 67 MB, and all of it stays in memory.
 * Requests and visits leave little behind, so the few megabytes of the start are enough.
 */
const YOUNG_GROWTH_FACTOR = 1;

/** V8 reads these flags whenever it collects. */
export const boundHeapGrowth = (): void => {
  setFlagsFromString(`--semi-space-growth-factor=${YOUNG_GROWTH_FACTOR}`);
  // Several threads for so few megabytes take more processor time than one.
  setFlagsFromString("--no-parallel-scavenge");
  let current = 0;
  const look = (): void => {
    const isLarge = getHeapStatistics().used_heap_size > LARGE_HEAP_BYTES;
    const percent = isLarge ? GROWING_PERCENT_LARGE : GROWING_PERCENT_SMALL;
    if (percent === current) return;
    current = percent;
    setFlagsFromString(`--heap-growing-percent=${percent}`);
  };
  look();
  setInterval(look, LOOK_MS).unref();
};
