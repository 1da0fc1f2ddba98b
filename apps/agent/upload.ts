/**
 * Uploads a result that is too large for one request. The request for an upload URL says
 * IN_PROGRESS, so an engine without uploads treats it as progress, not as the end.
 */
import { createHash } from "node:crypto";
import { type Fields, isFields, jsonText, parseFields, textOf } from "./json.ts";

export const UPLOAD_BYTES_MAX = 6 * 1_024 * 1_024;

export type Upload =
  | { readonly kind: "uploaded"; readonly body: Fields }
  | { readonly kind: "retry later" }
  | { readonly kind: "unavailable" };

export const uploadResult = async (
  signalUrl: string,
  result: Fields,
  signal: AbortSignal,
): Promise<Upload> => {
  const bytes = Buffer.from(jsonText(result));
  const asked = await askForUrl(signalUrl, bytes, signal);
  if (asked.kind !== "offered") return asked;
  const { id, url, headers } = asked.target;
  const status = await put(url, { headers, body: bytes, signal });
  if (status !== null && isBusy(status)) return { kind: "retry later" };
  return status !== null && status < 300
    ? { kind: "uploaded", body: { deploy_upload: id } }
    : { kind: "unavailable" };
};

export const isBusy = (status: number): boolean => status >= 500 || status === 429;

interface UploadTarget {
  readonly id: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Offer =
  | { readonly kind: "offered"; readonly target: UploadTarget }
  | Exclude<Upload, { readonly kind: "uploaded" }>;

const askForUrl = async (signalUrl: string, bytes: Buffer, signal: AbortSignal): Promise<Offer> => {
  const url = new URL(signalUrl);
  url.searchParams.set("upload", "1");
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      deploy_status: "IN_PROGRESS",
      deploy_status_reason: "The agent is about to send a large result",
      deploy_upload_bytes: bytes.length,
      deploy_upload_sha256: createHash("sha256").update(bytes).digest("base64"),
    }),
    signal,
  });
  const text = await response.text();
  if (isBusy(response.status)) return { kind: "retry later" };
  const target = response.ok ? readTarget(text) : null;
  return target === null ? { kind: "unavailable" } : { kind: "offered", target };
};

const readTarget = (text: string): UploadTarget | null => {
  const answer = parseFields(text);
  if (answer === null) return null;
  const id = textOf(answer, "upload_id");
  const url = textOf(answer, "upload_url");
  const { headers } = answer;
  const entries = isFields(headers) ? Object.entries(headers) : [];
  const texts = entries.map(([name, value]) => [name, String(value)] as const);
  return id === "" || !URL.canParse(url) ? null : { id, url, headers: Object.fromEntries(texts) };
};

/**
 * Null if the upload URL cannot be reached. This server may reach only the engine, and a shorter
 * result is better than none.
 */
const put = async (url: string, request: RequestInit): Promise<number | null> => {
  try {
    const response = await fetch(url, { ...request, method: "PUT" });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
};
