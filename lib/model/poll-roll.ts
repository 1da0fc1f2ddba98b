/**
 * The last polls of many servers, as one worker has seen them. One write of a roll notes the polls
 * of all its servers.
 */

export interface PollRoll {
  /**
   * A share of all servers, under a name that no server has. A diagnosis reads the rolls of its
   * server's share only.
   */
  readonly shard: string;
  /** The worker that writes it. No other worker does. */
  readonly writer: string;
  /** From the server's id to its last poll, in milliseconds since 1970. */
  readonly polls: Readonly<Record<string, number>>;
  readonly expiresAt: number;
}
