/**
 * Presigned upload URLs of the host. Each accepts one body with exactly one content, and encrypts
 * it. The URL names no stack, so each project has one key for its uploads.
 */
import { createHash } from "node:crypto";
import type { APIGatewayProxyResult } from "aws-lambda";
import * as z from "zod";
import { proxyResult } from "#functions/http-event.ts";
import type { SqliteUploads } from "#lib/adapters/sqlite/blobs.ts";
import { faultResponse } from "#lib/api/errors.ts";
import { emptyResponse } from "#lib/api/http.ts";
import { SEALED_FORMAT } from "#lib/model/sealed-text.ts";
import type { Ports, SealedPlace, SignedGrant, UploadKey, Uploads } from "#lib/ports/ports.ts";
import { sealedPlace } from "#lib/stack/stored-places.ts";
import type { HttpRequest } from "./lambda-events.ts";

export const UPLOAD_PATH = /^\/v1\/agent\/upload\/([^/]+)$/;
/** Agents send the signal right after the upload, and repeat both if they repeat the signal. */
const KEPT_MS = 3_600_000;

interface Content {
  readonly tenant: string;
  readonly id: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The signature covers the content's digest and length, so the URL accepts no other content. */
const grantOf = ({ tenant, id, bytes, sha256 }: Content, exp: number): SignedGrant => ({
  tenant,
  kind: "upload",
  id: `${id}/${sha256}`,
  exp,
  gen: bytes,
});

const UPLOADS = "uploads";
const placeOf = ({ tenant, id }: UploadKey): SealedPlace =>
  sealedPlace({ tenant, stackId: UPLOADS }, "uploads.body", id);

/** A former version stored plain text. Such a text is ignored, and its sender uploads it again. */
const isSealed = (stored: string): boolean => stored.startsWith(SEALED_FORMAT);

export const hostUploads = (
  stored: SqliteUploads,
  { signer, cipher, publicUrl }: Pick<Ports, "signer" | "cipher" | "publicUrl">,
): Uploads => ({
  get: async (key) => {
    const sealed = stored.get(key.id);
    return sealed === null || !isSealed(sealed) ? null : cipher.open(placeOf(key), sealed);
  },
  delete: async ({ id }) => stored.delete(id),
  open: async (upload) => {
    const { kid, exp, sig } = signer.sign(grantOf(upload, Math.ceil(upload.expiresAt / 1_000)));
    const { tenant, id, bytes, sha256 } = upload;
    const query = new URLSearchParams({
      tenant,
      bytes: String(bytes),
      sha256,
      kid,
      exp: String(exp),
      sig,
    });
    return { url: `${publicUrl}/v1/agent/upload/${id}?${query}`, headers: {} };
  },
});

const digits = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const querySchema = z.object({
  tenant: z.string(),
  bytes: digits,
  sha256: z.string(),
  kid: z.string(),
  exp: digits,
  sig: z.string(),
});

const isContent = (body: string, { bytes, sha256 }: Content): boolean =>
  Buffer.byteLength(body) === bytes &&
  createHash("sha256").update(body).digest("base64") === sha256;

type Sent = Pick<HttpRequest, "method" | "search" | "body">;

const refused = (...fault: Parameters<typeof faultResponse>) => ({
  kind: "refused" as const,
  result: proxyResult(faultResponse(...fault)),
});

/** Refuses as S3 does: 403 for a foreign or expired URL. The head is enough to decide this. */
export const signerOfUpload = (
  { signer, clock }: Pick<Ports, "signer" | "clock">,
  id: string,
  { method, search }: Pick<Sent, "method" | "search">,
) => {
  if (method !== "PUT") return refused(405, "HTTPMethodNotAllowed", undefined, { Allow: "PUT" });
  const query = querySchema.safeParse(Object.fromEntries(search));
  if (!query.success) return refused(403, "Forbidden");
  const { kid, exp, sig, ...of } = query.data;
  const content: Content = { ...of, id };
  const isOurs = signer.verify(grantOf(content, exp), kid, sig);
  if (!isOurs || clock.now() > exp * 1_000) return refused(403, "Forbidden");
  return { kind: "signed" as const, tenant: content.tenant, content };
};

export const takeUpload = async (
  ports: Pick<Ports, "signer" | "cipher" | "clock">,
  stored: SqliteUploads,
  id: string,
  sent: Sent,
): Promise<APIGatewayProxyResult> => {
  const signed = signerOfUpload(ports, id, sent);
  if (signed.kind === "refused") return signed.result;
  const text = sent.body ?? "";
  if (!isContent(text, signed.content)) return proxyResult(faultResponse(400, "HTTPBadRequest"));
  const { cipher, clock } = ports;
  const sealed = await cipher.seal(placeOf(signed.content), text);
  stored.put(id, sealed, clock.now() + KEPT_MS);
  return proxyResult(emptyResponse(200));
};
