export type Limited =
  | { readonly isAnswered: true; readonly answer: unknown }
  | { readonly isAnswered: false };

export interface TimeLimit {
  /**
   * Waits at most `limitMs` for the call, and then aborts its signal. If a call with the same key
   * is still running, this waits for it and makes no second call. Throws what the call throws.
   */
  wait(
    key: string,
    limitMs: number,
    call: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<Limited>;
}
