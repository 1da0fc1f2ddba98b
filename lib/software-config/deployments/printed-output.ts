/**
 * What a program printed on its server. The text can be megabytes long, and every poll reads the
 * deployment's record. So the record and the attributes contain only the end; a blob contains all.
 */
import { type Json, type JsonObject, mapOf, parseJson } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openBlob, openOutputValues, sealBlob } from "../configs/config-content.ts";

export const PRINTED_KEYS = ["deploy_stdout", "deploy_stderr"] as const;
export type PrintedKey = (typeof PRINTED_KEYS)[number];

export const isPrintedKey = (key: string): key is PrintedKey =>
  PRINTED_KEYS.some((printed) => printed === key);

/**
 * Per text: both together must fit into one item of the store.
 * @limit standard output, and error output, in the record of a deployment
 * @beyond the record has the end. The whole is stored until the next result, or the deployment's
 * end
 */
export const PRINTED_BYTES_MAX = 32_768;
const NOTE_BYTES_MAX = 200;

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

export const printedEnd = (key: PrintedKey, value: Json): Json =>
  typeof value === "string" && isLong(value) ? cut(key, value) : value;

const wholeOutput = (details: JsonObject): JsonObject | null => {
  const isCut = PRINTED_KEYS.some((key) => {
    const value = details[key];
    return typeof value === "string" && isLong(value);
  });
  return isCut ? mapOf(PRINTED_KEYS.map((key) => [key, details[key] ?? null])) : null;
};

const blobKey = (resourceId: string, generation: number): string =>
  `output/${resourceId}/${generation}`;

/**
 * Must run before the write of the record that names the blob. A repetition stores the same.
 * @returns the record's `wholeOutputOf`, null if the record leaves nothing out
 */
export const storeWholeOutput = async (
  { blobs, cipher }: Ports,
  { tenant, stackId, resourceId, generation }: DeploymentRecord,
  details: JsonObject,
): Promise<number | null> => {
  const whole = wholeOutput(details);
  if (whole === null) return null;
  const key = blobKey(resourceId, generation);
  const owner = { tenant, stackId };
  await blobs.put(key, await sealBlob(cipher, owner, key, JSON.stringify(whole)));
  return generation;
};

const storedOutput = async (
  { blobs, cipher }: Ports,
  record: DeploymentRecord,
): Promise<JsonObject | null> => {
  if (record.wholeOutputOf === null) return null;
  const key = blobKey(record.resourceId, record.wholeOutputOf);
  const sealed = await blobs.get(key);
  if (sealed === null) return null;
  return jsonObject.parse(parseJson(await openBlob(cipher, record, key, sealed)));
};

export const copyWholeOutput = async (
  ports: Ports,
  from: DeploymentRecord,
  to: DeploymentRecord,
): Promise<number | null> => {
  const whole = await storedOutput(ports, from);
  return whole === null ? null : storeWholeOutput(ports, to, whole);
};

/**
 * Must run before the record is deleted or after it no longer names the blob, because nothing else
 * refers to the blob.
 */
export const deleteWholeOutput = async (
  { blobs }: Pick<Ports, "blobs">,
  { resourceId, wholeOutputOf }: Pick<DeploymentRecord, "resourceId" | "wholeOutputOf">,
): Promise<void> => {
  if (wholeOutputOf !== null) await blobs.delete(blobKey(resourceId, wholeOutputOf));
};

export const readWholeOutput = async (
  ports: Ports,
  record: DeploymentRecord,
  key: PrintedKey,
): Promise<Json> => {
  const whole = await storedOutput(ports, record);
  const values = whole ?? (await openOutputValues(ports.cipher, record));
  return values[key] ?? null;
};
