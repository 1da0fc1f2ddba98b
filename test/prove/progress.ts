import logUpdate from "log-update";

const BAR_CHARS = 30;
const SHOWN_EVERY_MS = 200;

export interface Progress {
  show(done: number, text: string): void;
  end(): void;
}

/** An earlier run did `before`, so that part does not count for the speed. */
export const progress = (max: number, before: number, unit: string): Progress => {
  const startedAt = performance.now();
  let shownAt = -SHOWN_EVERY_MS;
  return {
    show: (done, text) => {
      const now = performance.now();
      if (!process.stdout.isTTY || now - shownAt < SHOWN_EVERY_MS) return;
      shownAt = now;
      const speed = (done - before) / ((now - startedAt) / 1_000);
      const left = speed > 0 ? Math.ceil(Math.max(max - done, 0) / speed / 60) : 0;
      const share = Math.min(done / max, 1);
      const bar = "#".repeat(Math.round(share * BAR_CHARS)).padEnd(BAR_CHARS, ".");
      logUpdate(
        `[${bar}] ${done.toLocaleString("en")} ${unit}, ${text}, ${Math.round(speed).toLocaleString("en")} ${unit}/s, ${left} min left`,
      );
    },
    end: () => {
      if (process.stdout.isTTY) logUpdate.done();
    },
  };
};
