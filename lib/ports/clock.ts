/** Time. The simulation has its own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}
