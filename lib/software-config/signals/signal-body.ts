import * as z from "zod/mini";
import { badRequest, conflict, RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, mergedMaps } from "#lib/json.ts";
import type { SignalTarget } from "#lib/model/software-config.ts";
import { type Ports, UPLOAD_BYTES_MAX } from "#lib/ports/ports.ts";
import { DEPTH_MAX, isDeeperThan, jsonFromText, TOO_DEEP } from "#lib/template/json-shape.ts";
import { isoTime } from "#lib/texts.ts";
import { Refusal } from "../agent-requests/evidence.ts";

/**
 * @limit body of a signal
 * @beyond 413. It is recorded, and `hearth deployment diagnose` says so
 */
export const SIGNAL_BYTES_MAX = 1_048_576;
const BYTES_PER_CODE_UNIT_MAX = 3;

export const signalBlobKey = (target: {
  readonly resourceId: string;
  readonly generation: number;
}): string => `signal/${target.resourceId}/${target.generation}`;

export const checkSignalSize = (bodyText: string): void => {
  const isOver =
    bodyText.length > SIGNAL_BYTES_MAX ||
    (bodyText.length * BYTES_PER_CODE_UNIT_MAX > SIGNAL_BYTES_MAX &&
      new TextEncoder().encode(bodyText).length > SIGNAL_BYTES_MAX);
  if (isOver) throw tooLarge("signal", SIGNAL_BYTES_MAX);
};

/**
 * Null for an empty body. Throws 400 if it is not JSON, or nested too deep for later recursive
 * readers.
 */
export const parseSignalJson = (bodyText: string): Json => {
  if (bodyText.trim() === "") return null;
  const body = jsonFromText(bodyText);
  if (body === undefined) throw new Refusal("not_valid", badRequest("The signal is not JSON."));
  if (!isDeeperThan(body, DEPTH_MAX)) return body;
  throw new Refusal("not_valid", badRequest(`The signal is ${TOO_DEEP}.`));
};

/** As in Heat, null counts as an empty map. Throws 400 for anything else but a map. */
export const parseSignalDetails = (body: Json): JsonObject => {
  const details = body ?? {};
  if (isJsonObject(details)) return details;
  throw new Refusal("not_valid", badRequest("The signal is not a JSON object."));
};

export const parseSignal = (bodyText: string): JsonObject =>
  parseSignalDetails(parseSignalJson(bodyText));

const UPLOAD_MS = 15 * 60_000;

/** The body also says IN_PROGRESS, so an engine without uploads treats the request as progress. */
const uploadRequestSchema = z.object({
  deploy_upload_bytes: z.int().check(z.positive()),
  deploy_upload_sha256: z.string().check(z.regex(/^[A-Za-z0-9+/]{43}=$/)),
});

export const tooLarge = (what: string, bytesMax: number): Refusal => {
  const message = `The ${what} is larger than ${bytesMax} bytes.`;
  return new Refusal("too_large", new RequestError("RequestEntityTooLarge", 413, message));
};

/**
 * A result that is too large for one request is uploaded first. The sender asks the signal URL for
 * an upload URL, uploads the body there, and signals `{"deploy_upload": ID}`. The engine then
 * treats the uploaded body as the signal's body. Each derived id has one upload, so a signal URL
 * grants room for a single result. Throws 400, 413, and 409 if the deployment no longer waits for
 * this result.
 */
export const openUpload = async (
  ports: Ports,
  { tenant, derivedConfigId, serverId, deploymentId }: SignalTarget,
  details: JsonObject,
): Promise<JsonObject> => {
  const request = uploadRequestSchema.safeParse(details);
  if (!request.success) {
    throw new Refusal("not_valid", badRequest("An upload needs its length and its SHA-256."));
  }
  const { deploy_upload_bytes: bytes, deploy_upload_sha256: sha256 } = request.data;
  if (bytes > UPLOAD_BYTES_MAX) throw tooLarge("result", UPLOAD_BYTES_MAX);
  const deployment =
    deploymentId === null
      ? null
      : await ports.softwareConfigs.getDeployment(serverId, deploymentId);
  const isAwaited = deployment?.derivedConfigId === derivedConfigId;
  if (!isAwaited || deployment.status !== "IN_PROGRESS") {
    throw conflict("Nothing waits for this result any more.");
  }
  const expiresAt = ports.clock.now() + UPLOAD_MS;
  const upload = { tenant, id: derivedConfigId, bytes, sha256, expiresAt };
  const { url, headers } = await ports.uploads.open(upload);
  return { upload_url: url, upload_id: derivedConfigId, headers, expires: isoTime(expiresAt) };
};

export const uploadIdIn = (details: JsonObject): string | null => {
  const upload = details["deploy_upload"];
  return typeof upload === "string" ? upload : null;
};

/** The visit that consumes the result reads from it which upload to delete. */
export const withUploadId = (body: string, id: string): string =>
  JSON.stringify(mergedMaps<Json>(parseSignal(body), { deploy_upload: id }));

export const readUpload = async (
  { uploads }: Ports,
  { tenant, derivedConfigId }: SignalTarget,
  id: string,
): Promise<string | null> => {
  if (id !== derivedConfigId) {
    throw new Refusal("not_valid", badRequest("The upload is not this signal's."));
  }
  const body = await uploads.get({ tenant, id });
  if (body !== null && new TextEncoder().encode(body).length > UPLOAD_BYTES_MAX)
    throw tooLarge("result", UPLOAD_BYTES_MAX);
  return body;
};
