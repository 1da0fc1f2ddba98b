import { loggableId } from "#lib/software-config/agent-requests/agent-target.ts";

const CHARS_MAX = 512;
const AGENT = /^\/v1\/agent\/(metadata|signal|upload)\/(.*)$/s;
const ESCAPED_QUERY = /\?|%3f|%25|=|&/i;

/**
 * A signed route's path ends with an id, or with a text that may be a whole signed URL. Only a
 * valid id is logged.
 */
export const loggablePath = (path: string): string => {
  const [, kind, id = ""] = AGENT.exec(path) ?? [];
  if (kind !== undefined) return `/v1/agent/${kind}/${loggableId(id)}`;
  const [written = ""] = path.split(ESCAPED_QUERY, 1);
  const kept = written.slice(0, CHARS_MAX);
  return kept === path ? path : `${kept} (cut)`;
};
