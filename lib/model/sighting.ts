/** What was observed of a server and of deliveries to it. All times are milliseconds since 1970. */

export const SERVER_STATUSES = ["BUILD", "ACTIVE", "SHUTOFF", "ERROR"] as const;

export interface SightedServer {
  readonly tenant: string;
  readonly stackId: string;
  readonly serverId: string;
  readonly expiresAt: number;
}

export interface ServerFindings {
  readonly firstPollAt: number | null;
  /** At most POLL_NOTE_INTERVAL_MS behind the last poll, together with the rolls (`PollRoll`). */
  readonly lastPollAt: number | null;
  readonly servedVersion: string | null;
  readonly servedAt: number | null;
  readonly appliedVersion: string | null;
  readonly appliedAt: number | null;
  readonly bootBegunAt: number | null;
  readonly bootInstalledAt: number | null;
  readonly bootFailedAt: number | null;
  readonly address: string | null;
  readonly agent: string | null;
  readonly tools: readonly string[] | null;
  readonly unsentConfigId: string | null;
  readonly reportedStatus: (typeof SERVER_STATUSES)[number] | null;
  readonly reportedAddresses: readonly string[] | null;
  readonly reportedFault: string | null;
  readonly reportedAt: number | null;
}

export interface ServerSighting extends SightedServer, ServerFindings {}

export const NOTHING_SEEN_OF_SERVER: ServerFindings = {
  firstPollAt: null,
  lastPollAt: null,
  servedVersion: null,
  servedAt: null,
  appliedVersion: null,
  appliedAt: null,
  bootBegunAt: null,
  bootInstalledAt: null,
  bootFailedAt: null,
  address: null,
  agent: null,
  tools: null,
  unsentConfigId: null,
  reportedStatus: null,
  reportedAddresses: null,
  reportedFault: null,
  reportedAt: null,
};

export interface SightedDelivery extends SightedServer {
  readonly deploymentId: string;
  readonly derivedConfigId: string;
}

export interface DeliveryFindings {
  /** Until the server fetches the delivery, only the deployment's record has this time. */
  readonly publishedAt: number | null;
  readonly tool: string | null;
  readonly fetchedAt: number | null;
  /** When a poll reported the document as applied. Stock agents report this after their scripts. */
  readonly appliedAt: number | null;
  readonly startedAt: number | null;
  readonly heardAt: number | null;
  readonly endedAt: number | null;
  readonly heartbeats: number;
  readonly progressReason: string | null;
  /** Sealed JSON of the ends of stdout and stderr from the last progress signal that had any. */
  readonly outputTail: string | null;
  /** When this output first came. Since then there was no new one. */
  readonly outputTailAt: number | null;
  /** When the owner last asked to end the run. Hearth's agent asks for this during the run. */
  readonly stopAskedAt: number | null;
}

export interface DeliverySighting extends SightedDelivery, DeliveryFindings {}

export const NOTHING_SEEN_OF_DELIVERY: DeliveryFindings = {
  publishedAt: null,
  tool: null,
  fetchedAt: null,
  appliedAt: null,
  startedAt: null,
  heardAt: null,
  endedAt: null,
  heartbeats: 0,
  progressReason: null,
  outputTail: null,
  outputTailAt: null,
  stopAskedAt: null,
};

export interface SeenPolls {
  readonly polledAt: number | null;
  /** The last poll that was refused. Anybody who knows the server's id can cause one. */
  readonly refusedAt: number | null;
}

/** The last polls of many servers, as one worker has seen them. One write notes them all. */
export interface PollRoll {
  /** A share of all servers, under a name that no server has. A diagnosis reads one share only. */
  readonly shard: string;
  readonly writer: string;
  readonly polls: Readonly<Record<string, number>>;
  readonly expiresAt: number;
}
