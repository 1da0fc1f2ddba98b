/** A host's clocks on a machine whose time of day was set ahead, or that has slept. */
export class MovedClock {
  aheadMs = 0;
  /** A sleep also moves the clock since the boot, so the host's clock follows at once. */
  sleptMs = 0;

  readonly sources = {
    wall: () => Date.now() + this.aheadMs + this.sleptMs,
    monotonic: () => performance.now(),
    boot: () => performance.now() + this.sleptMs,
  };
}
