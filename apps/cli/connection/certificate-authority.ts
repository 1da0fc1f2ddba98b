/**
 * Makes this process trust the authority of `--ca-file`. Node reads NODE_EXTRA_CA_CERTS only at its
 * start, and its `fetch` accepts no authority, so requests go through node:https instead. Nothing
 * here turns verification off.
 */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import { buffer } from "node:stream/consumers";
import { whyUnreadable } from "#host/operator-files.ts";
import { badUsage } from "../failure.ts";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const BARE = new Set([204, 205, 304]);

/** Returns only the certificates of the file, because it may contain a private key too. */
export const readAuthority = (file: string, option = "--ca-file"): string => {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw badUsage(`${option} ${file} cannot be read: ${whyUnreadable(error)}.`);
  }
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) {
    throw badUsage(`${option} ${file} holds no certificate (PEM, BEGIN CERTIFICATE).`);
  }
  for (const certificate of certificates) {
    if (!isReadable(certificate)) throw badUsage(`${option} ${file} holds a damaged certificate.`);
  }
  return `${certificates.join("\n")}\n`;
};

const isReadable = (certificate: string): boolean => {
  try {
    return new X509Certificate(certificate).subject !== undefined;
  } catch {
    return false;
  }
};

/** From now on, this process trusts this authority for https, and no other. */
export const trustOnly = (authority: string): void => {
  globalThis.fetch = trustingFetch(authority, globalThis.fetch);
};

/** Unlike `fetch`, the function follows no redirect, because this program never wants that. */
const trustingFetch = (authority: string, plain: typeof fetch): typeof fetch => {
  const agent = new Agent({ ca: authority, keepAlive: true, rejectUnauthorized: true });
  return async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).protocol !== "https:") return plain(request);
    try {
      return await answerTo(request, agent);
    } catch (error) {
      throw request.signal.aborted ? request.signal.reason : error;
    }
  };
};

const answerTo = async (request: Request, agent: Agent): Promise<Response> => {
  const body = Buffer.from(await request.arrayBuffer());
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const { method, signal } = request;
    const headers = Object.fromEntries(request.headers);
    const sent = httpsRequest(request.url, { method, signal, agent, headers }, resolve);
    sent.once("error", reject);
    sent.end(body.length === 0 ? undefined : body);
  });
  const status = incoming.statusCode ?? 0;
  const bytes = await buffer(incoming);
  return new Response(BARE.has(status) ? null : new Uint8Array(bytes), {
    status,
    headers: headersOf(incoming),
  });
};

const headersOf = ({ headersDistinct }: IncomingMessage): Headers => {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
};
