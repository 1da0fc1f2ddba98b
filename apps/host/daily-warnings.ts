import { readFileSync } from "node:fs";
import { logger } from "#functions/logger.ts";
import { RetryLater } from "#lib/errors.ts";
import { certificateEnd, certificateWarning } from "./certificate-end.ts";
import { type Foreseen, hostForewarnings } from "./forewarnings.ts";
import type { TlsFiles } from "./tls-files.ts";

const EVERY_MS = 86_400_000;

interface Looked {
  readonly foreseen: Foreseen | null;
  readonly tls: TlsFiles | undefined;
}

const look = ({ foreseen, tls }: Looked, now: number): void => {
  const end = tls === undefined ? null : certificateEnd(readFileSync(tls.certFile, "utf8"));
  const certificate = end === null ? null : certificateWarning(end, now);
  const others = foreseen === null ? [] : hostForewarnings(foreseen);
  for (const { part, found, advice } of [...(certificate ? [certificate] : []), ...others])
    logger.warn(found, { part, advice });
};

/** `now` is the machine's time, because certificates are checked against the machine's clock. */
export const startDailyWarnings = (
  looked: Looked,
  now: () => number = Date.now,
  everyMs = EVERY_MS,
): { readonly stop: () => void } => {
  const tell = (): void => {
    try {
      look(looked, now());
    } catch (error) {
      if (!(error instanceof RetryLater)) logger.error("the daily look at the host failed", error);
    }
  };
  tell();
  const timer = setInterval(tell, everyMs);
  return { stop: () => clearInterval(timer) };
};
