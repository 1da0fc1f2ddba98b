/** How V8's heap grows in a host, which shares its machine with others. */
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * By default V8 lets the heap grow to a multiple before it collects all of it. A smaller percentage
 * would collect a small heap several times as often, which is a third of the time of a create.
 */
const GROWING_PERCENT = 100;
/**
 * The host collects a large heap itself. V8 marks one in steps beside the program, or waits until
 * old objects are asked for. Both let a long request pass the limit by a hundred megabytes.
 */
const LARGE_HEAP_BYTES = 96 * 1_024 * 1_024;
/** All at once, 100 MB of what lives take 65 ms to collect, and 160 MB take 110 ms. */
const GARBAGE_BYTES_MAX = 40 * 1_024 * 1_024;
/** A very large heap takes longer, so more may gather: a quarter of what lives. */
const GARBAGE_SHARE_MAX = 0.25;
const LOOK_MS = 1_000;
/** A long request makes a megabyte of garbage in two milliseconds. */
const LOOK_AT_LARGE_MS = 50;
/**
 * By default the part of the heap for new objects grows to 67 MB, and all of it stays in memory.
 * Requests and visits leave little behind, so the megabytes of the start are enough. V8 shrinks it
 * to two while little happens. With those alone it takes much of what is new for old, so a small
 * heap may let it grow back. Under a large one it would double several times in one turn.
 */
const YOUNG_GROWTH_FACTOR = 1;
const YOUNG_GROWTH_FACTOR_SMALL = 2;
const SMALL_YOUNG_BYTES = 12 * 1_024 * 1_024;

const usedBytes = (): number => getHeapStatistics().used_heap_size;

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")
    ?.physical_space_size ?? 0;

/** V8 reads it whenever it collects. */
const growthOfYoung = (): string => {
  const mayGrow = usedBytes() <= LARGE_HEAP_BYTES && youngBytes() < SMALL_YOUNG_BYTES;
  return `--semi-space-growth-factor=${mayGrow ? YOUNG_GROWTH_FACTOR_SMALL : YOUNG_GROWTH_FACTOR}`;
};

/** Node gives a program V8's collection only by this flag, and to contexts that come after it. */
export const heapCollection = (): (() => void) => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  return () => {
    if (typeof collect === "function") collect();
  };
};

export const boundHeapGrowth = (): void => {
  // Several threads for so few megabytes take more processor time than one.
  setFlagsFromString("--no-parallel-scavenge");
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
  const collect = heapCollection();
  let growth = "";
  /** What lives takes no more. It is less than that until the heap is collected. */
  let leastBytes = Number.POSITIVE_INFINITY;
  const look = (): void => {
    leastBytes = Math.min(leastBytes, usedBytes());
    const isLarge = usedBytes() > LARGE_HEAP_BYTES;
    const garbageBytesMax = Math.max(GARBAGE_BYTES_MAX, leastBytes * GARBAGE_SHARE_MAX);
    if (isLarge && usedBytes() > leastBytes + garbageBytesMax) {
      collect();
      leastBytes = usedBytes();
    }
    const wanted = growthOfYoung();
    if (wanted !== growth) setFlagsFromString(wanted);
    growth = wanted;
    setTimeout(look, isLarge ? LOOK_AT_LARGE_MS : LOOK_MS).unref();
  };
  look();
};
