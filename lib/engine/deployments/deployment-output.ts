import { RequestError } from "#lib/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  isPrintedKey,
  PRINTED_KEYS,
  readWholeOutput,
} from "#lib/software-config/deployments/printed-output.ts";
import { findDeployment } from "./find-deployment.ts";

export interface OutputPage {
  readonly text: string;
  /** Where the next page begins, in UTF-16 units from the start. Null on the last page. */
  readonly next: number | null;
}

/** Lambda returns an answer as JSON, and its limit of 6 MB counts the escapes. */
export const OUTPUT_PAGE_BYTES_MAX = 5_000_000;
const BYTES_PER_UNIT_MAX = 6;

const fits = (text: string): boolean =>
  text.length * BYTES_PER_UNIT_MAX <= OUTPUT_PAGE_BYTES_MAX ||
  new TextEncoder().encode(JSON.stringify(text)).length <= OUTPUT_PAGE_BYTES_MAX;

const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

const pageEnd = (text: string, from: number): number => {
  if (fits(text.slice(from))) return text.length;
  let [good, bad] = [from, text.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (fits(text.slice(from, middle))) good = middle;
    else bad = middle;
  }
  return isFirstHalf(text.charCodeAt(good - 1)) ? good - 1 : good;
};

export const deploymentOutput = async (
  ports: Ports,
  { tenant, id, key, from }: { tenant: string; id: string; key: string; from: number },
): Promise<OutputPage> => {
  if (!isPrintedKey(key)) {
    const message = `A deployment has no output ${key} as text: only ${PRINTED_KEYS.join(" and ")}.`;
    throw new RequestError("NotFound", 404, message);
  }
  const value = await readWholeOutput(ports, await findDeployment(ports, tenant, id), key);
  const text = typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
  const end = pageEnd(text, from);
  return { text: text.slice(from, end), next: end < text.length ? end : null };
};
