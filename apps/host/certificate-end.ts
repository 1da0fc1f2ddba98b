import { X509Certificate } from "node:crypto";
import type { Forewarning } from "#lib/api/context.ts";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const DAY_MS = 86_400_000;
export const CERTIFICATE_DAYS_MIN = 30;

export const certificateEnd = (pem: string): number | null => {
  const ends = (pem.match(CERTIFICATE) ?? []).map((text) =>
    Date.parse(new X509Certificate(text).validTo),
  );
  return ends.length === 0 ? null : Math.min(...ends);
};

const RENEW = "Renew it: the host takes a changed file within 30 seconds, or at SIGHUP";

export const certificateWarning = (end: number, now: number): Forewarning | null => {
  const left = end - now;
  if (left >= CERTIFICATE_DAYS_MIN * DAY_MS) return null;
  const at = new Date(end).toISOString();
  const found =
    left <= 0
      ? `the certificate has expired at ${at}, so clients and agents refuse it`
      : `the certificate ends in ${Math.floor(left / DAY_MS)} days, at ${at}`;
  return { part: "certificate", found, advice: RENEW };
};
