/** Ends early, and without an error, when `stop` is aborted. */
export type Sleep = (milliseconds: number, stop?: AbortSignal) => Promise<void>;

export const pause: Sleep = (milliseconds, stop) =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stop?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (stop?.aborted) end();
    else stop?.addEventListener("abort", end);
  });
