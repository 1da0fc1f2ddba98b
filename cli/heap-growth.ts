/** How V8's heap grows in a host, which shares its machine with others. */
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";

/** By default V8 lets the heap grow to a multiple before it collects all of it. */
const GROWING_PERCENT_SMALL = 100;
/**
 * A large heap is collected when it has grown by a fifth. That costs a few percent of the host's
 * time, and halves the memory at 100,000 resources. A small heap would be collected five times as
 * often for 40 MB, which is a third of the time of a create.
 */
const GROWING_PERCENT_LARGE = 20;
const LARGE_HEAP_BYTES = 96 * 1_024 * 1_024;
/** A fifth of these would be more than what all objects of a new host take. */
const GROWING_PERCENT_HUGE = 10;
const HUGE_HEAP_BYTES = 160 * 1_024 * 1_024;
const LOOK_MS = 1_000;
/**
 * By default the part of the heap for new objects grows to 67 MB, and all of it stays in memory.
 * Requests and visits leave little behind, so the megabytes of the start are enough. V8 shrinks it
 * to two while little happens. With those alone it takes much of what is new for old, so a small
 * heap may let it grow back. Under a large one it would double several times in one turn.
 */
const YOUNG_GROWTH_FACTOR = 1;
const YOUNG_GROWTH_FACTOR_SMALL = 2;
const SMALL_YOUNG_BYTES = 12 * 1_024 * 1_024;
/**
 * While V8 marks a large heap beside the program, that may grow by half of its limit. A long
 * request or a busy processor lets it. All at once, 100 MB of what lives take 65 ms, 160 MB 110 ms.
 */
const MARKS_AT_ONCE = "--no-incremental-marking";
const MARKS_IN_STEPS = "--incremental-marking";

const percentFor = (bytes: number): number => {
  if (bytes > HUGE_HEAP_BYTES) return GROWING_PERCENT_HUGE;
  return bytes > LARGE_HEAP_BYTES ? GROWING_PERCENT_LARGE : GROWING_PERCENT_SMALL;
};

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")
    ?.physical_space_size ?? 0;

const flagsNow = (): readonly string[] => {
  const bytes = getHeapStatistics().used_heap_size;
  const mayGrow = bytes <= LARGE_HEAP_BYTES && youngBytes() < SMALL_YOUNG_BYTES;
  return [
    `--semi-space-growth-factor=${mayGrow ? YOUNG_GROWTH_FACTOR_SMALL : YOUNG_GROWTH_FACTOR}`,
    `--heap-growing-percent=${percentFor(bytes)}`,
    bytes > LARGE_HEAP_BYTES ? MARKS_AT_ONCE : MARKS_IN_STEPS,
  ];
};

/** V8 reads these flags whenever it collects. */
export const boundHeapGrowth = (): void => {
  // Several threads for so few megabytes take more processor time than one.
  setFlagsFromString("--no-parallel-scavenge");
  let current = "";
  const look = (): void => {
    const flags = flagsNow().join(" ");
    if (flags === current) return;
    current = flags;
    setFlagsFromString(flags);
  };
  look();
  setInterval(look, LOOK_MS).unref();
};
