/** Ends the wait for calls that may never answer, such as those of plug-ins. */

export type Limited =
  | { readonly isAnswered: true; readonly answer: unknown }
  /** The call may still go on. */
  | { readonly isAnswered: false };

export interface TimeLimit {
  /**
   * Makes the call and waits so long for its answer; then its signal is aborted. If a call of this
   * key still goes on, this waits for that one and makes none. Throws what the call throws.
   */
  wait(
    key: string,
    limitMs: number,
    call: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<Limited>;
}
