/**
 * A result that is too large for a request is sent ahead. The question for a place says that the run is in progress, so that
 * a server which does not know it takes it for that and not for the end.
 */
import { createHash } from "node:crypto";
import { type Fields, isFields, parseFields, textOf } from "./json.ts";

/** What Hearth takes. */
export const UPLOAD_BYTES_MAX = 6 * 1_024 * 1_024;

interface Place {
  readonly id: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const placeOf = (text: string): Place | null => {
  const answer = parseFields(text);
  if (answer === null) return null;
  const [id, url] = [textOf(answer, "upload_id"), textOf(answer, "upload_url")];
  const { headers } = answer;
  const entries = isFields(headers) ? Object.entries(headers) : [];
  const texts = entries.map(([name, value]) => [name, String(value)] as const);
  return id === "" || !URL.canParse(url) ? null : { id, url, headers: Object.fromEntries(texts) };
};

const isBusy = (status: number): boolean => status >= 500 || status === 429;

const askFor = async (
  signalUrl: string,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<Place | "no place" | "not now"> => {
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
  if (isBusy(response.status)) return "not now";
  return (response.ok ? placeOf(text) : null) ?? "no place";
};

/** What to signal in the result's place. Throws what keeps the server from being reached. */
export const sendAhead = async (
  signalUrl: string,
  result: Fields,
  signal: AbortSignal,
): Promise<Fields | "no place" | "not now"> => {
  const bytes = Buffer.from(JSON.stringify(result));
  const place = await askFor(signalUrl, bytes, signal);
  if (place === "no place" || place === "not now") return place;
  const { id, url, headers } = place;
  const status = await put(url, { headers, body: bytes, signal });
  if (status !== null && isBusy(status)) return "not now";
  return status !== null && status < 300 ? { deploy_upload: id } : "no place";
};

/** Null where the place cannot be reached: from there only the server itself may be, and a shorter result is better than none. */
const put = async (url: string, request: RequestInit): Promise<number | null> => {
  try {
    const response = await fetch(url, { ...request, method: "PUT" });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
};
