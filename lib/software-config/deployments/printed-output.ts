/**
 * What a server's program has printed. It may be megabytes, and the deployment's record is read at every poll of its
 * server: the record and the attributes keep the end, the whole lies in a blob beside them.
 */
import type { Json, JsonObject } from "#lib/json.ts";
import type { DeploymentRecord } from "#lib/model/deployment.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openObject, sealObject } from "../configs/config-content.ts";

export const PRINTED_KEYS = ["deploy_stdout", "deploy_stderr"] as const;
export type PrintedKey = (typeof PRINTED_KEYS)[number];

export const isPrintedKey = (key: string): key is PrintedKey =>
  PRINTED_KEYS.some((printed) => printed === key);

/** Of each text: both together stay below what the items of a store hold by themselves. */
export const PRINTED_BYTES_MAX = 32_768;
/** Room for the line that says what is left out. */
const NOTE_BYTES_MAX = 200;

/** A longer text costs at most three bytes a character, so a short one need not be encoded. */
const isLong = (text: string): boolean =>
  text.length * 3 > PRINTED_BYTES_MAX && new TextEncoder().encode(text).length > PRINTED_BYTES_MAX;

const isWithinCharacter = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0xc0) === 0x80;

const cut = (key: PrintedKey, text: string): string => {
  const bytes = new TextEncoder().encode(text);
  let from = bytes.length - (PRINTED_BYTES_MAX - NOTE_BYTES_MAX);
  while (isWithinCharacter(bytes[from])) from += 1;
  const end = new TextDecoder().decode(bytes.subarray(from));
  return `[${from} of ${bytes.length} bytes are left out before this line; the deployment's output/${key} has all]\n${end}`;
};

/** As the record and the attributes have it. What has been cut before stays as it is. */
export const printedEnd = (key: PrintedKey, value: Json): Json =>
  typeof value === "string" && isLong(value) ? cut(key, value) : value;

/** What lies beside the record; null where the record leaves nothing out. */
const wholeOf = (details: JsonObject): JsonObject | null => {
  const isCut = PRINTED_KEYS.some((key) => {
    const value = details[key];
    return typeof value === "string" && isLong(value);
  });
  return isCut ? Object.fromEntries(PRINTED_KEYS.map((key) => [key, details[key] ?? null])) : null;
};

const blobKey = (resourceId: string, generation: number): string =>
  `output/${resourceId}/${generation}`;

/** To be done before the record that says so is written; repeated, it finds the same there. Answers `wholeOutputOf`. */
export const storeWholeOutput = async (
  { blobs, cipher }: Ports,
  { tenant, stackId, resourceId, generation }: DeploymentRecord,
  details: JsonObject,
): Promise<number | null> => {
  const whole = wholeOf(details);
  if (whole === null) return null;
  const sealed = await sealObject(cipher, { tenant, stackId }, whole);
  await blobs.put(blobKey(resourceId, generation), sealed);
  return generation;
};

/** What lies beside a record, put beside the one that takes its place. */
export const moveWholeOutput = async (
  ports: Ports,
  from: DeploymentRecord,
  to: DeploymentRecord,
): Promise<number | null> => {
  if (from.wholeOutputOf === null) return null;
  const sealed = await ports.blobs.get(blobKey(from.resourceId, from.wholeOutputOf));
  if (sealed === null) return null;
  return storeWholeOutput(ports, to, await openObject(ports.cipher, from, sealed));
};

/** To be done before the record goes, or after it no longer says so: nothing else knows of the blob. */
export const deleteWholeOutput = async (
  { blobs }: Pick<Ports, "blobs">,
  { resourceId, wholeOutputOf }: Pick<DeploymentRecord, "resourceId" | "wholeOutputOf">,
): Promise<void> => {
  if (wholeOutputOf !== null) await blobs.delete(blobKey(resourceId, wholeOutputOf));
};

/** Null where nothing of this name was sent, or there is no result yet. */
export const readWholeOutput = async (
  { blobs, cipher }: Ports,
  record: DeploymentRecord,
  key: PrintedKey,
): Promise<Json> => {
  const { resourceId, wholeOutputOf } = record;
  const sealed =
    wholeOutputOf === null ? null : await blobs.get(blobKey(resourceId, wholeOutputOf));
  const values = await openObject(cipher, record, sealed ?? record.outputValues);
  return values[key] ?? null;
};
