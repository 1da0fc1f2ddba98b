/** The part of a request's path that a log may hold. */
import { loggableId } from "#lib/software-config/agent-requests/agent-target.ts";

const CHARS_MAX = 512;
const AGENT = /^\/v1\/agent\/(metadata|signal|upload)\/(.*)$/s;
/** A query that was escaped once more, by a proxy or an agent. It may hold a signature. */
const ESCAPED_QUERY = /\?|%3f|%25|=|&/i;

/** A path of a signed route ends with its id, or with text that may be a whole signed URL. */
export const loggablePath = (path: string): string => {
  const [, kind, id = ""] = AGENT.exec(path) ?? [];
  if (kind !== undefined) return `/v1/agent/${kind}/${loggableId(id)}`;
  const [written = ""] = path.split(ESCAPED_QUERY, 1);
  const kept = written.slice(0, CHARS_MAX);
  return kept === path ? path : `${kept} (cut)`;
};
