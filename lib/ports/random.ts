/** Randomness for secrets. The simulation replaces it with a seeded generator. */
export interface Random {
  below(limit: number): number;
}
