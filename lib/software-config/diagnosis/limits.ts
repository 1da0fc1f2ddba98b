/** How long each step may take before a diagnosis calls it stuck. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * How often a poll without news is noted. With a poll each 30 seconds this is every third, even if
 * polls come a few seconds early.
 */
export const POLL_NOTE_INTERVAL_MS = 75 * SECOND_MS;
/**
 * Measured from the last noted poll. The slowest default interval is 30 s, so two polls are
 * missing.
 */
export const NOT_POLLING_MS = 150 * SECOND_MS;
/** A worker that keeps poll rolls updates a server's own sighting this often. */
export const POLL_SIGHTING_INTERVAL_MS = HOUR_MS;
/** A roll lists a server this long after its last poll. By then its own sighting is newer. */
export const POLL_ROLL_MS_MAX = 2 * POLL_SIGHTING_INTERVAL_MS;
/** Limits one roll to 4.4 KB. If it is full, further servers are noted one by one. */
export const POLL_ROLL_SERVERS_MAX = 200;
/** Limits what a worker remembers of servers to about ten megabytes. */
export const REMEMBERED_SERVERS_MAX = 20_000;
/** A worker trusts what it remembers of a server this long. A read costs a tenth of a poll. */
export const REMEMBERED_MS_MAX = 5 * MINUTE_MS;
/** The slowest default interval of agents. */
const POLL_PERIOD_MS = 30 * SECOND_MS;
/** After so many missed polls a user may give the server up as unreachable. */
const UNREACHABLE_POLLS_MIN = 10;
export const UNREACHABLE_MS_MIN = UNREACHABLE_POLLS_MIN * POLL_PERIOD_MS;
export const NEVER_SEEN_WAIT_MINS_MAX = 10;
export const SURELY_NOT_POLLING_MS = 30 * MINUTE_MS;
export const JUST_PUBLISHED_MS = 90 * SECOND_MS;
/** From the bootstrap script's start to the first poll, with time to download packages. */
export const INSTALLATION_MS_MAX = 10 * MINUTE_MS;
export const AGENT_START_MS_MAX = 30 * SECOND_MS;
export const SIGNAL_GRACE_MS = MINUTE_MS;
/** Agents that report progress do so once a minute, so two reports are missing. */
export const HEARTBEAT_SILENCE_MS = 150 * SECOND_MS;
/**
 * A run without new output may hang. Reports lag by up to a minute, so this is five minutes after
 * the last line.
 */
export const NO_OUTPUT_MS = 4 * MINUTE_MS;
export const UNKNOWN_RUN_MS_MAX = 30 * MINUTE_MS;
/** A run is overdue after this many times the duration of earlier runs. */
export const OVERDUE_FACTOR = 3;
/** Durations of shorter runs vary by more than OVERDUE_FACTOR. */
export const OVERDUE_MS_MIN = 2 * MINUTE_MS;

/**
 * Counts from the last write: a server that is silent for months must still count as having polled.
 */
export const SERVER_SIGHTING_MS_MAX = 400 * DAY_MS;
export const DELIVERY_SIGHTING_MS_MAX = 30 * DAY_MS;

export const AGENT_CHARS_MAX = 120;
export const ADDRESS_CHARS_MAX = 64;
export const TOOLS_CHARS_MAX = 500;
export const PROGRESS_REASON_CHARS_MAX = 1_000;
export const OUTPUT_TAIL_CHARS_MAX = 4_000;
export const QUOTED_CHARS_MAX = 160;
