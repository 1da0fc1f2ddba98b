/** How long each step may take before a diagnosis calls it stuck. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A poll without news is noted this often: one write per minute and server. */
export const POLL_NOTE_INTERVAL_MS = MINUTE_MS;
/** The slowest default interval of the agents. */
const POLL_INTERVAL_MS = 30 * SECOND_MS;
/** Three polls are missing, plus the interval in which polls are not noted. */
export const NOT_POLLING_MS = 3 * POLL_INTERVAL_MS + POLL_NOTE_INTERVAL_MS;
/** An owner may configure a longer poll interval, but not this long. */
export const SURELY_NOT_POLLING_MS = 30 * MINUTE_MS;
/** A delivery this young cannot be stuck yet. */
export const JUST_PUBLISHED_MS = 90 * SECOND_MS;
/** From the bootstrap script's start to the first poll, with time to download packages. */
export const INSTALLATION_MS_MAX = 10 * MINUTE_MS;
/** A signal arrives this soon after its document was applied. */
export const SIGNAL_GRACE_MS = MINUTE_MS;
/** Agents that report progress do so once a minute. */
export const HEARTBEAT_SILENCE_MS = 4 * MINUTE_MS;
/** How long a run may be silent if no earlier run is known. */
export const UNKNOWN_RUN_MS_MAX = 30 * MINUTE_MS;
/** A run is overdue after this many times the duration of earlier runs. */
export const OVERDUE_FACTOR = 3;
/** The durations of shorter runs vary by more than OVERDUE_FACTOR. */
export const OVERDUE_MS_MIN = 2 * MINUTE_MS;

/** After its last write: a server that is silent for months must still count as having polled. */
export const SERVER_SIGHTING_MS_MAX = 400 * DAY_MS;
export const DELIVERY_SIGHTING_MS_MAX = 30 * DAY_MS;

/** Limits of texts that senders report about themselves. */
export const AGENT_CHARS_MAX = 120;
export const ADDRESS_CHARS_MAX = 64;
export const TOOLS_CHARS_MAX = 500;
export const PROGRESS_REASON_CHARS_MAX = 1_000;
export const OUTPUT_TAIL_CHARS_MAX = 4_000;
