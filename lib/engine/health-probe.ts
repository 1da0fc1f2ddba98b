/**
 * A signed URL that grants nothing. Fetching it shows whether agents' URLs work from that place. It
 * uses the route and the function of a metadata poll, so it tests the public URL, the gateway's
 * handling of the query and the keys of two functions.
 */
import { forbidden } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Ports, SignedGrant } from "#lib/ports/ports.ts";
import {
  checkSignature,
  parseSignatureQuery,
  signatureQuery,
  type UrlQuery,
} from "#lib/software-config/agent-requests/urls.ts";

/** Stands in for a server's id. Server ids are UUIDs, so none can equal it. */
export const PROBE_ID = "probe";
/** A host whose clock differs by more rejects even a fresh signature. */
export const PROBE_SECONDS_MAX = 300;
const ECHO_CHARS_MAX = 256;

/** No project has an empty name, so a probe grants access to none. */
const GRANT = { tenant: "", kind: "probe", id: PROBE_ID } as const satisfies Partial<SignedGrant>;

export const probeUrl = ({
  signer,
  clock,
  publicUrl,
  pollUrl = publicUrl,
}: Pick<Ports, "signer" | "clock" | "publicUrl" | "pollUrl">): string => {
  const exp = Math.floor(clock.now() / 1_000) + PROBE_SECONDS_MAX;
  const query = signatureQuery(signer.sign({ ...GRANT, exp, gen: 0 }));
  return `${pollUrl}/v1/agent/metadata/${PROBE_ID}?${query}`;
};

/**
 * Echoes the unsigned `applied`. Throws 403 for a signature that is bad, expired or has no expiry.
 */
export const serveProbe = (ports: Pick<Ports, "signer" | "clock">, query: UrlQuery): JsonObject => {
  const signature = parseSignatureQuery(query);
  checkSignature(ports, GRANT, signature);
  if (signature.exp === 0) throw forbidden("This URL has expired.");
  return { probe: { applied: (query["applied"] ?? "").slice(0, ECHO_CHARS_MAX) } };
};
