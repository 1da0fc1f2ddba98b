/** The last polls of many servers, as one worker has seen them. One write notes them all. */

export interface PollRoll {
  /** A share of all servers, under a name that no server has. A diagnosis reads one share only. */
  readonly shard: string;
  readonly writer: string;
  readonly polls: Readonly<Record<string, number>>;
  readonly expiresAt: number;
}
