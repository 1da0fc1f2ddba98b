/** How long things take before a diagnosis says that something is wrong. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A poll that brings nothing new is noted at most so often: one write a minute for each server. */
export const POLL_NOTE_INTERVAL_MS = MINUTE_MS;
/** The slowest pace of agents that have been left as they came. */
const POLL_INTERVAL_MS = 30 * SECOND_MS;
/** Three polls have not come, beside what is not noted. */
export const NOT_POLLING_MS = 3 * POLL_INTERVAL_MS + POLL_NOTE_INTERVAL_MS;
/** An owner may have told the agent to poll seldom; nobody polls as seldom as that. */
export const SURELY_NOT_POLLING_MS = 30 * MINUTE_MS;
/** So soon after publishing nothing is to be expected yet. */
export const JUST_PUBLISHED_MS = 90 * SECOND_MS;
/** From the first step of the bootstrap script to the first poll: packages may have to be fetched. */
export const INSTALLATION_MS_MAX = 10 * MINUTE_MS;
/** What was applied has its signal sent within this. */
export const SIGNAL_GRACE_MS = MINUTE_MS;
/** Agents that tell of progress do it once a minute. */
export const HEARTBEAT_SILENCE_MS = 4 * MINUTE_MS;
/** How long a run whose duration nobody knows may be silent before that looks wrong. */
export const UNKNOWN_RUN_MS_MAX = 30 * MINUTE_MS;
/** A run that takes so many times what it took before looks wrong. */
export const OVERDUE_FACTOR = 3;
/** Shorter runs vary by more than that. */
export const OVERDUE_MS_MIN = 2 * MINUTE_MS;

/** After its last write. A server may be silent for long, and is then still said to have polled. */
export const SERVER_SIGHTING_MS_MAX = 400 * DAY_MS;
export const DELIVERY_SIGHTING_MS_MAX = 30 * DAY_MS;

/** Of what senders say of themselves. */
export const AGENT_CHARS_MAX = 120;
export const ADDRESS_CHARS_MAX = 64;
export const TOOLS_CHARS_MAX = 500;
export const PROGRESS_REASON_CHARS_MAX = 1_000;
export const OUTPUT_TAIL_CHARS_MAX = 4_000;
