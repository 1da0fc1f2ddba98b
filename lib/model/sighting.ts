/** What has been seen of a server and of a delivery to it: the diagnosis reads it. */

/** What the status of a server may be in the words of its provisioner, which are Nova's. */
export const SERVER_STATUSES = ["BUILD", "ACTIVE", "SHUTOFF", "ERROR"] as const;

/** Whose sighting it is, and when it is forgotten: milliseconds since 1970, as all times here. */
export interface SightedServer {
  readonly tenant: string;
  readonly stackId: string;
  readonly serverId: string;
  readonly expiresAt: number;
}

/** What a server has shown of itself, and what its provisioner has told of it. Null: nothing yet. */
export interface ServerFindings {
  readonly firstPollAt: number | null;
  /** Behind the last poll by at most POLL_NOTE_INTERVAL_MS: most polls are not worth a write. */
  readonly lastPollAt: number | null;
  /** The version of the document that was served last, and when it was served first. */
  readonly servedVersion: string | null;
  readonly servedAt: number | null;
  /** The version that a later poll told to have been applied. */
  readonly appliedVersion: string | null;
  readonly appliedAt: number | null;
  /** The steps of the bootstrap script, when each was last told. */
  readonly bootBegunAt: number | null;
  readonly bootInstalledAt: number | null;
  readonly bootFailedAt: number | null;
  /** Where the last noted poll came from, and what it called itself. */
  readonly address: string | null;
  readonly agent: string | null;
  /** The tools that the agent says it has; null: it does not say. */
  readonly tools: readonly string[] | null;
  /** The derived config whose result the agent says it could not deliver. */
  readonly unsentConfigId: string | null;
  readonly reportedStatus: (typeof SERVER_STATUSES)[number] | null;
  /** Null: the report said nothing of addresses; empty: it said that there are none. */
  readonly reportedAddresses: readonly string[] | null;
  readonly reportedFault: string | null;
  readonly reportedAt: number | null;
}

/** One for each server. */
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

/** Which delivery it is: a derived config on its way to a server and back. */
export interface SightedDelivery extends SightedServer {
  readonly deploymentId: string;
  readonly derivedConfigId: string;
}

/** What has been seen of a delivery. When it was published is its record's to say while it is under way, and here once it has been fetched. */
export interface DeliveryFindings {
  readonly publishedAt: number | null;
  /** The tool that runs it: its group, or that of the component's entry for the action. */
  readonly tool: string | null;
  /** The first GET that served it. */
  readonly fetchedAt: number | null;
  /** A later poll told that the document with it has been applied. Stock agents tell so only after their scripts. */
  readonly appliedAt: number | null;
  /** The first signal of progress. */
  readonly startedAt: number | null;
  /** The last signal of any kind that was heeded. */
  readonly heardAt: number | null;
  /** The result. */
  readonly endedAt: number | null;
  /** The signals of progress, the first one counted. */
  readonly heartbeats: number;
  /** What the last signal of progress said, and when. */
  readonly progressReason: string | null;
  /** Sealed JSON of the ends of stdout and stderr that the last signal of progress with any brought. */
  readonly outputTail: string | null;
  readonly outputTailAt: number | null;
}

/** One for each derived config that a server has fetched, or signalled for. */
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
};
