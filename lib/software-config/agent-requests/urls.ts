/**
 * The signed ("presigned") URLs that agents poll and signal. They need no other credential. Signing
 * the same grant again gives the same URL, so the document that contains it is stable.
 */
import * as z from "zod/mini";
import { forbidden, RequestError } from "#lib/errors.ts";
import type { Ports, SignatureQuery, SignedGrant } from "#lib/ports/ports.ts";
import { Refusal } from "./evidence.ts";

export type UrlQuery = Readonly<Record<string, string | undefined>>;

export interface AgentRequest {
  readonly method: string;
  readonly query: UrlQuery;
}

/**
 * A signal may arrive this long after the operation's deadline: clocks differ, and agents retry.
 */
export const SIGNAL_MARGIN_SECONDS = 3_600;

export const signatureQuery = ({ kid, exp, gen, sig }: SignatureQuery): string =>
  `kid=${encodeURIComponent(kid)}&exp=${exp}&gen=${gen}&sig=${encodeURIComponent(sig)}`;

export const signalExpiry = (deadlineMs: number): number =>
  Math.ceil(deadlineMs / 1_000) + SIGNAL_MARGIN_SECONDS;

export const signalUrl = (
  ports: Pick<Ports, "signer" | "publicUrl" | "reportUrl">,
  grant: Omit<SignedGrant, "kind">,
): string => {
  const query = signatureQuery(ports.signer.sign({ ...grant, kind: "signal" }));
  return `${ports.reportUrl ?? ports.publicUrl}/v1/agent/signal/${grant.id}?${query}`;
};

/** The URL never expires. Raising the server record's `gen` revokes it. */
export const metadataUrl = (
  ports: Pick<Ports, "signer" | "publicUrl" | "pollUrl">,
  server: { readonly tenant: string; readonly id: string; readonly gen: number },
): string => {
  const { tenant, id, gen } = server;
  const query = signatureQuery(ports.signer.sign({ tenant, kind: "metadata", id, exp: 0, gen }));
  return `${ports.pollUrl ?? ports.publicUrl}/v1/agent/metadata/${id}?${query}`;
};

/**
 * The URL in the document. An agent that polls it reports the version that it has applied. The
 * signature does not cover that parameter.
 */
export const appliedUrl = (url: string, version: string): string => `${url}&applied=${version}`;

const digits = z.string().check(z.regex(/^\d{1,15}$/));
const querySchema = z.object({ kid: z.string(), exp: digits, gen: digits, sig: z.string() });

export const checkMethod = (allowed: readonly string[], method: string): void => {
  if (allowed.includes(method)) return;
  const message = `The method ${method} is not allowed for this resource.`;
  throw new Refusal("wrong_method", new RequestError("HTTPMethodNotAllowed", 405, message));
};

export const parseSignatureQuery = (query: UrlQuery): SignatureQuery => {
  const parsed = querySchema.safeParse(query);
  if (!parsed.success) {
    const answer = forbidden("This URL is not signed: kid, exp, gen and sig are needed.");
    throw new Refusal("not_signed", answer);
  }
  const { kid, exp, gen, sig } = parsed.data;
  return { kid, sig, exp: Number(exp), gen: Number(gen) };
};

export const hasExpired = ({ clock }: Pick<Ports, "clock">, exp: number): boolean =>
  exp !== 0 && clock.now() > exp * 1_000;

/**
 * Throws 403 with a text that distinguishes a wrong signature from an expired one. `isAwaited`
 * accepts an expired URL, because the deadline of its operation was extended.
 */
export const checkSignature = (
  ports: Pick<Ports, "signer" | "clock">,
  grant: Pick<SignedGrant, "tenant" | "kind" | "id">,
  { kid, exp, gen, sig }: SignatureQuery,
  isAwaited = false,
): void => {
  if (!ports.signer.verify({ ...grant, exp, gen }, kid, sig)) {
    const kind = ports.signer.knows(kid) ? "bad_signature" : "unknown_key";
    throw new Refusal(kind, forbidden("The signature of this URL is not valid."));
  }
  if (!isAwaited && hasExpired(ports, exp)) {
    throw new Refusal("expired", forbidden("This URL has expired."));
  }
};
