/** The number of a life of stored data (Ports.life), which a restore begins. */

const LIVES_A_SECOND = 100_000;
const SECOND_MS = 1_000;

/**
 * Above every number of an earlier life, and different for two restores of one backup. A signed URL
 * has room for fifteen digits of a generation. `draw` gives a whole number below its argument.
 *
 * `former` is the life in which the backup was made. A second restore in the same second, or under
 * a clock that was set back, begins a second later than that, or the generations after it would be
 * used twice.
 */
export const beginningLife = (
  now: number,
  draw: (below: number) => number,
  former: number,
): number => {
  const second = Math.floor(now / SECOND_MS);
  const next = former === 0 ? second : Math.floor(former / LIVES_A_SECOND) + 1;
  return Math.max(second, next) * LIVES_A_SECOND + draw(LIVES_A_SECOND);
};
