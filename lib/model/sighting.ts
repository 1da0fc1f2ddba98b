/** What was observed of a server and of deliveries to it. The diagnosis reads these records. */

/** The server statuses that a provisioner can report. The words are Nova's. */
export const SERVER_STATUSES = ["BUILD", "ACTIVE", "SHUTOFF", "ERROR"] as const;

/** The server, and when the record expires. All times here are milliseconds since 1970. */
export interface SightedServer {
  readonly tenant: string;
  readonly stackId: string;
  readonly serverId: string;
  readonly expiresAt: number;
}

/**
 * What a server has shown by its requests, and what its provisioner has reported. Null: not yet.
 */
export interface ServerFindings {
  readonly firstPollAt: number | null;
  /**
   * It and the rolls (poll-roll.ts) together are at most POLL_NOTE_INTERVAL_MS behind the last
   * poll, because most polls are not worth a write.
   */
  readonly lastPollAt: number | null;
  /** The version of the document that was served last, and when that version was first served. */
  readonly servedVersion: string | null;
  readonly servedAt: number | null;
  /** The version that the server has applied, according to a later poll. */
  readonly appliedVersion: string | null;
  readonly appliedAt: number | null;
  /** When the bootstrap script last reported each of its steps. */
  readonly bootBegunAt: number | null;
  readonly bootInstalledAt: number | null;
  readonly bootFailedAt: number | null;
  /** The address and the user agent of the last noted poll. */
  readonly address: string | null;
  readonly agent: string | null;
  /** The tools that the agent has reported. Null: it has reported none. */
  readonly tools: readonly string[] | null;
  /** The derived config whose result the agent could not deliver, as it reports. */
  readonly unsentConfigId: string | null;
  readonly reportedStatus: (typeof SERVER_STATUSES)[number] | null;
  /** Null: the report had no addresses. Empty: it said that the server has none. */
  readonly reportedAddresses: readonly string[] | null;
  readonly reportedFault: string | null;
  readonly reportedAt: number | null;
}

/** One record for each server. */
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

/** One deployment delivery: a derived config that goes to a server, and its result. */
export interface SightedDelivery extends SightedServer {
  readonly deploymentId: string;
  readonly derivedConfigId: string;
}

/** What was observed of a deployment delivery. */
export interface DeliveryFindings {
  /** Null until the server has fetched it. Until then the deployment's record has the time. */
  readonly publishedAt: number | null;
  /** The tool that runs it: the group of the config, or of the component's entry for the action. */
  readonly tool: string | null;
  /** The first GET that served it. */
  readonly fetchedAt: number | null;
  /**
   * When a poll reported the document with it as applied. Stock agents report this after their
   * scripts.
   */
  readonly appliedAt: number | null;
  /** The first progress signal. */
  readonly startedAt: number | null;
  /** The last signal of any kind that had an effect. */
  readonly heardAt: number | null;
  /** The result. */
  readonly endedAt: number | null;
  /** The number of progress signals, including the first. */
  readonly heartbeats: number;
  /** The text of the last progress signal. */
  readonly progressReason: string | null;
  /** Sealed JSON: the ends of stdout and stderr from the last progress signal that had any. */
  readonly outputTail: string | null;
  /** When a signal first brought this output: since then there was no new one. */
  readonly outputTailAt: number | null;
  /** When its owner last asked that the run be ended. Hearth's agent asks for it as it runs. */
  readonly stopAskedAt: number | null;
}

/** One record for each derived config that a server has fetched or sent a signal for. */
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

/** When a server polled. */
export interface SeenPolls {
  /** The last poll that was answered. Null: none was. */
  readonly polledAt: number | null;
  /** The last one that was refused. Null: none was. Who knows the server's id can cause one. */
  readonly refusedAt: number | null;
}
