/** Time, so that the simulator can have its own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}
