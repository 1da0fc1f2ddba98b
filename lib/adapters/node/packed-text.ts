/**
 * A text as bytes, compressed where that makes it smaller. The mark comes before the compressed
 * bytes. No text in UTF-8 contains it, so a text that was stored as it is needs no mark.
 */
import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib";

const COMPRESSED = 0xff;
/** Compressing a shorter text saves tens of bytes, and takes longer than sealing it. */
const COMPRESSED_BYTES_MIN = 256;
/** A larger text would stop all other work for milliseconds, so another thread compresses it. */
const IN_PLACE_BYTES_MAX = 16_384;
/**
 * A few bytes can inflate to gigabytes. This is more than twice the largest result of a server. A
 * larger text stays as it is.
 */
export const INFLATED_BYTES_MAX = 16 * 1_024 * 1_024;

const deflateAside = promisify(deflateRaw);
const inflateAside = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw);

const deflated = (bytes: Uint8Array): Promise<Buffer> | Buffer =>
  bytes.length > IN_PLACE_BYTES_MAX ? deflateAside(bytes) : deflateRawSync(bytes);

const inflated = (bytes: Uint8Array): Promise<Buffer> | Buffer => {
  const limit = { maxOutputLength: INFLATED_BYTES_MAX };
  return bytes.length > IN_PLACE_BYTES_MAX
    ? inflateAside(bytes, limit)
    : inflateRawSync(bytes, limit);
};

export const packText = async (text: string): Promise<Buffer> => {
  const bytes = Buffer.from(text);
  if (bytes.length < COMPRESSED_BYTES_MIN || bytes.length > INFLATED_BYTES_MAX) return bytes;
  const packed = Buffer.concat([Buffer.of(COMPRESSED), await deflated(bytes)]);
  return packed.length < bytes.length ? packed : bytes;
};

/** Throws if the bytes are compressed, and cannot be inflated within INFLATED_BYTES_MAX. */
export const unpackText = async (bytes: Buffer): Promise<string> =>
  (bytes[0] === COMPRESSED ? await inflated(bytes.subarray(1)) : bytes).toString("utf8");
