import { RequestError } from "#lib/errors.ts";

/** Throws Heat's error if the pauses between the batches take all the time that is left. */
export const checkPauses = (
  batchCount: number,
  pauseSeconds: number,
  secondsLeft: number,
): void => {
  const pauses = pauseSeconds * Math.max(batchCount - 1, 0);
  if (pauses === 0 || pauses < secondsLeft) return;
  throw new RequestError(
    "ValueError",
    400,
    "The current update policy will result in stack update timeout.",
  );
};
