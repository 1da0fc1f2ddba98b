/**
 * A signed URL that grants nothing: whoever was handed one fetches it and so finds out whether the agents'
 * own would work from there. It goes the way of a metadata poll, by the same route and function, so that
 * the public URL, the gateway's handling of the query and the keys of two functions are tried out.
 */
import { forbidden } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { SignedGrant } from "#lib/ports/signer.ts";
import {
  checkSignature,
  parseSignatureQuery,
  signatureQuery,
  type UrlQuery,
} from "#lib/software-config/agent-requests/urls.ts";

/** Stands where a server's id stands. Those are UUIDs, so that no server is called like this. */
export const PROBE_ID = "probe";
/** How long a probe is good for. A clock that is off by more finds every fresh signature expired. */
export const PROBE_SECONDS_MAX = 300;
const ECHO_CHARS_MAX = 256;

/** No project is called "", so that a probe is in nobody's scope. */
const GRANT = { tenant: "", kind: "probe", id: PROBE_ID } as const satisfies Partial<SignedGrant>;

export const probeUrl = ({
  signer,
  clock,
  publicUrl,
}: Pick<Ports, "signer" | "clock" | "publicUrl">): string => {
  const exp = Math.floor(clock.now() / 1_000) + PROBE_SECONDS_MAX;
  const query = signatureQuery(signer.sign({ ...GRANT, exp, gen: 0 }));
  return `${publicUrl}/v1/agent/metadata/${PROBE_ID}?${query}`;
};

/** Answers the unsigned `applied` as it has arrived. Throws 403 for a bad signature, one that has ended, and one that never ends. */
export const serveProbe = (ports: Pick<Ports, "signer" | "clock">, query: UrlQuery): JsonObject => {
  const signature = parseSignatureQuery(query);
  checkSignature(ports, GRANT, signature);
  if (signature.exp === 0) throw forbidden("This URL has expired.");
  return { probe: { applied: (query["applied"] ?? "").slice(0, ECHO_CHARS_MAX) } };
};
