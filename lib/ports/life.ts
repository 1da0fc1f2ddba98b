const LIVES_A_SECOND = 100_000;
const SECOND_MS = 1_000;

/**
 * Returns a number for the life of stored data (Ports.life) that a restore begins. It is above the
 * numbers of all earlier lives, and two restores of one backup get different numbers. Generations
 * derived from it must fit into the fifteen digits that a signed URL has for them.
 * `former` is the life in which the backup was made. If the clock was set back, or a second restore
 * happens in the same second, the new life begins one second after `former`. Otherwise generations
 * would be used twice.
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
