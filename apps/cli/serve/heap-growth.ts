/** Limits how V8's heap grows in a host, which shares its machine with other programs. */
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * By default V8 lets the heap grow to a multiple before it collects all of it. A smaller percentage
 * would collect a small heap several times as often, which is a third of the time of a create.
 */
const GROWING_PERCENT = 100;
/**
 * The host itself collects a heap above this size. V8 would mark it in steps beside the program, or
 * wait until old objects are needed. Both let a long request pass the limit by a hundred megabytes.
 */
const LARGE_HEAP_BYTES = 96 * 1_024 * 1_024;
/** A full collection takes 65 ms with 100 MB of live objects, and 110 ms with 160 MB. */
const GARBAGE_BYTES_MAX = 40 * 1_024 * 1_024;
/** A very large heap takes longer to collect, so a quarter of the live bytes may gather. */
const GARBAGE_SHARE_MAX = 0.25;
const LOOK_MS = 1_000;
/** A long request makes a megabyte of garbage in two milliseconds. */
const LOOK_AT_LARGE_MS = 50;
/**
 * By default the heap's part for new objects grows to 67 MB and keeps that memory. Requests and
 * visits leave little behind, so its size at the start is enough. While little happens, V8 shrinks
 * the part to 2 MB, and then treats many new objects as old. So the part may grow back under a
 * small heap. Under a large heap it would double several times in one turn.
 */
const YOUNG_GROWTH_FACTOR = 1;
const YOUNG_GROWTH_FACTOR_SMALL = 2;
const SMALL_YOUNG_BYTES = 12 * 1_024 * 1_024;

const usedBytes = (): number => getHeapStatistics().used_heap_size;

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")
    ?.physical_space_size ?? 0;

const growthOfYoung = (): string => {
  const mayGrow = usedBytes() <= LARGE_HEAP_BYTES && youngBytes() < SMALL_YOUNG_BYTES;
  return `--semi-space-growth-factor=${mayGrow ? YOUNG_GROWTH_FACTOR_SMALL : YOUNG_GROWTH_FACTOR}`;
};

/** Node exposes V8's collection with this flag, to contexts that are made after it. */
export const heapCollection = (): (() => void) => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  return () => {
    if (typeof collect === "function") collect();
  };
};

export const boundHeapGrowth = (): void => {
  // For so few megabytes several threads take more processor time than one.
  setFlagsFromString("--no-parallel-scavenge");
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
  const collect = heapCollection();
  let growth = "";
  /** An upper bound of the live bytes: until a collection the heap contains garbage too. */
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
