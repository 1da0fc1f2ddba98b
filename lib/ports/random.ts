/** Randomness for secrets. The simulation seeds it. */
export interface Random {
  /** An integer in [0, limit), without bias. */
  below(limit: number): number;
}
