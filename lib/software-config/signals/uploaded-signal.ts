/**
 * A result that is too large for a request to its signal URL is sent ahead: the sender asks at that URL for a place, puts the
 * body there, and then signals `{"deploy_upload": ID}`, which is taken as if that body had come. There is one place for each
 * derived id, so a signal URL buys no more room than one result needs.
 */
import * as z from "zod/mini";
import { badRequest, RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { SignalTarget } from "#lib/model/deployment.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { UPLOAD_BYTES_MAX } from "#lib/ports/uploads.ts";
import { Refusal } from "../agent-requests/evidence.ts";

/** How long a place is open. */
const UPLOAD_MS = 15 * 60_000;

/** Beside these it says IN_PROGRESS, for an engine that knows no uploads and takes it for a signal. */
const wishSchema = z.object({
  deploy_upload_bytes: z.int().check(z.positive()),
  deploy_upload_sha256: z.string().check(z.regex(/^[A-Za-z0-9+/]{43}=$/)),
});

const tooLarge = (): Refusal => {
  const message = `The result is larger than ${UPLOAD_BYTES_MAX} bytes.`;
  return new Refusal("too_large", new RequestError("RequestEntityTooLarge", 413, message));
};

/** Throws 400, 413, and 409 where nobody waits for this result any more. */
export const openUpload = async (
  ports: Ports,
  { tenant, derivedConfigId, serverId, deploymentId }: SignalTarget,
  details: JsonObject,
): Promise<JsonObject> => {
  const wish = wishSchema.safeParse(details);
  if (!wish.success) {
    throw new Refusal("not_valid", badRequest("An upload needs its length and its SHA-256."));
  }
  const { deploy_upload_bytes: bytes, deploy_upload_sha256: sha256 } = wish.data;
  if (bytes > UPLOAD_BYTES_MAX) throw tooLarge();
  const deployment =
    deploymentId === null
      ? null
      : await ports.softwareConfigs.getDeployment(serverId, deploymentId);
  const isAwaited = deployment?.derivedConfigId === derivedConfigId;
  if (!isAwaited || deployment.status !== "IN_PROGRESS") {
    throw new RequestError("HTTPConflict", 409, "Nothing waits for this result any more.");
  }
  const expiresAt = ports.clock.now() + UPLOAD_MS;
  const upload = { tenant, id: derivedConfigId, bytes, sha256, expiresAt };
  const { url, headers } = await ports.uploads.open(upload);
  const expires = new Date(expiresAt).toISOString().replace(/\.\d{3}Z$/, "Z");
  return { upload_url: url, upload_id: derivedConfigId, headers: { ...headers }, expires };
};

export const uploadIn = (details: JsonObject): string | null => {
  const upload = details["deploy_upload"];
  return typeof upload === "string" ? upload : null;
};

/** The body that was sent ahead; null where there is none, or none any more. Throws 400 for what is another's, and 413. */
export const readUpload = async (
  { uploads }: Ports,
  { derivedConfigId }: SignalTarget,
  id: string,
): Promise<string | null> => {
  if (id !== derivedConfigId) {
    throw new Refusal("not_valid", badRequest("The upload is not this signal's."));
  }
  const body = await uploads.get(id);
  if (body !== null && new TextEncoder().encode(body).length > UPLOAD_BYTES_MAX) throw tooLarge();
  return body;
};
