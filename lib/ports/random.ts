/** Randomness for secrets; seeded in the simulator. */
export interface Random {
  /** An integer in [0, limit), without bias. */
  below(limit: number): number;
}
