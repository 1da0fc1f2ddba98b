/** The records of software configuration (Heat's software_config and software_deployment, plus what our URLs need). */
import type { Json } from "#lib/json.ts";

/** One JSON Schema-like entry of a config's inputs; `value` only in derived configs. */
export interface ConfigInput {
  readonly name: string;
  readonly type: "String" | "Number" | "CommaDelimitedList" | "Json" | "Boolean";
  readonly description?: string;
  readonly default?: Json;
  readonly replace_on_change?: boolean;
  readonly value?: Json;
}

export interface ConfigOutput {
  readonly name: string;
  readonly type: ConfigInput["type"];
  readonly description?: string;
  readonly error_output: boolean;
}

/** The content of a config: what a derived config copies. */
export interface ConfigContent {
  readonly name: string;
  readonly group: string;
  readonly config: Json;
  readonly inputs: readonly ConfigInput[];
  readonly outputs: readonly ConfigOutput[];
  readonly options: { readonly [key: string]: Json };
}

/** In the place of a stack's id: of configs and deployments that a user has made by themselves. No stack is called so. */
export const STANDALONE = "standalone";

/** Immutable. `content` is sealed JSON of a ConfigContent. */
export interface SoftwareConfigRecord {
  readonly tenant: string;
  readonly id: string;
  readonly stackId: string;
  readonly content: string;
  readonly createdAt: number;
}

/** A server that polls for its metadata document. The metadata URL is revoked by raising or removing `gen`. */
export interface ServerRecord {
  readonly tenant: string;
  readonly id: string;
  readonly stackId: string;
  readonly resourceName: string;
  readonly gen: number;
  /** Sealed JSON: the template's own `metadata` for this server. */
  readonly metadata: string;
}

/** The one mutable record: which derived config a deployment points at now. Written by its resource's visits, and by a user who has it delivered again. */
export interface DeploymentRecord {
  readonly tenant: string;
  readonly serverId: string;
  readonly id: string;
  readonly stackId: string;
  readonly resourceId: string;
  readonly resourceName: string;
  /** Of the operation that published it: an older operation's write is refused. */
  readonly generation: number;
  /** How often this operation has been published, each time under a derived id of its own: 1 until somebody has it delivered again. */
  readonly delivery: number;
  readonly derivedConfigId: string;
  /** The derived config's name: the document's sort key. */
  readonly name: string;
  readonly action: string;
  readonly status: "IN_PROGRESS" | "COMPLETE" | "FAILED";
  readonly statusReason: string;
  /** Sealed JSON of the derived ConfigContent, inputs with values. */
  readonly derivedConfig: string;
  /** Sealed JSON of the output values; what the server printed is in it with its end only, where it is long. */
  readonly outputValues: string;
  /** The generation of the result whose printed output is longer than that: the whole lies in a blob. Null: nothing is left out. */
  readonly wholeOutputOf: number | null;
  /** Sealed JSON of the input values that were given, for those who ask what they were. Null: none. */
  readonly inputValues: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A record as it was read, for a write that depends on it: within an operation both only go forward. */
export type DeploymentStanding = Pick<DeploymentRecord, "generation" | "delivery" | "status">;

/** Where a deployment's record is found by its id alone. Written before the record, and may outlive it. */
export interface DeploymentPlace {
  readonly tenant: string;
  readonly id: string;
  readonly serverId: string;
  readonly stackId: string;
}

/**
 * What a signal URL's id stands for: a derived config, or a wait condition handle, which has no deployment and stands
 * in its server's place. It outlives both, so that a late signal is told 410 and not 404.
 */
export interface SignalTarget extends EvidenceTarget {
  readonly derivedConfigId: string;
  readonly resourceId: string;
  readonly generation: number;
  readonly expiresAt: number;
}

/**
 * What can be said against a request to an agent's URL, or to its being heeded. Up to `deleted` it was refused;
 * the rest was answered 200 without effect. Whoever knows an id can cause those up to `too_large`, for they are seen before
 * the signature is known to be good: they tell that something is wrong, and not who did it.
 */
export const EVIDENCE_KINDS = [
  "wrong_method",
  /** The id is another URL's: a server's where a derived config's is wanted, or the other way round. */
  "wrong_scope",
  "not_signed",
  /** Its key has been rotated out, or never was one. */
  "unknown_key",
  /** Changed on the way, or another target's: the two cannot be told apart. */
  "bad_signature",
  "too_large",
  "expired",
  /** The server's URL has been given a new generation. */
  "revoked",
  "not_valid",
  "deleted",
  /** Of an action of the deployment before the current one. */
  "old_operation",
  /** After the end, and no repetition of what ended it. */
  "late",
  "duplicate",
  /** A second result that says something else than the first, which counts. */
  "conflicting",
] as const;

export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** Whom it is about: a deployment, or a server (or wait condition handle) where `deploymentId` is null. */
export interface EvidenceTarget {
  readonly tenant: string;
  readonly stackId: string;
  readonly serverId: string;
  readonly deploymentId: string | null;
}

export interface EvidenceSighting extends EvidenceTarget {
  readonly kind: EvidenceKind;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
}

/** One for each kind and target, however often it is seen. Nothing of the request is in it. */
export interface Evidence extends EvidenceSighting {
  /** Exact up to EVIDENCE_COUNT_EXACT_MAX; above it only some are counted. */
  readonly count: number;
}

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
