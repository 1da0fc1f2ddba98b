/**
 * Turns a text into bytes, compressed where that makes it smaller. A mark precedes compressed
 * bytes. UTF-8 never contains this byte, so uncompressed texts need no mark.
 */
import { hash as digestOf } from "node:crypto";
import { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { promisify } from "node:util";
import {
  createDeflateRaw,
  createInflateRaw,
  deflateRaw,
  deflateRawSync,
  inflateRawSync,
} from "node:zlib";
import { assert } from "#lib/errors.ts";

const COMPRESSED = 0xff;
/** Compressed with a known text as dictionary. The beginning of that text's hash comes next. */
const COMPRESSED_AGAINST = 0xfe;
const KNOWN_HASH_BYTES = 8;
const KNOWN_BYTES_MAX = 32_768;
/** Compressing a shorter text saves tens of bytes, and takes longer than sealing it. */
const COMPRESSED_BYTES_MIN = 256;
/** A larger text would block all other work for milliseconds, so another thread compresses it. */
const IN_PLACE_BYTES_MAX = 16_384;
const WHOLE_CHARS_MAX = 1_024 * 1_024;
/**
 * A few bytes can inflate to gigabytes. This limit is more than twice the largest result of a
 * server. A larger text is not compressed.
 */
export const INFLATED_BYTES_MAX = 16 * 1_024 * 1_024;

const deflateAside = promisify(deflateRaw);

/** Deflate cannot use this part of its window. */
const LOOKAHEAD_BYTES = 262;
const WINDOW_BITS_MIN = 9;
const WINDOW_BITS_MAX = 15;
const MEMORY_LEVEL_MAX = 8;
const INFLATED_CHUNK_BYTES = 2_048;
const DEFLATED_CHUNK_BYTES_MIN = 64;

/**
 * By default deflate allocates 256 KB for any text, which costs more than compressing a short one.
 * A window that contains the whole text compresses it as well.
 */
const sizedFor = (bytes: number, knownBytes = 0) => {
  const needed = Math.ceil(Math.log2(bytes + knownBytes + LOOKAHEAD_BYTES));
  const windowBits = Math.min(Math.max(needed, WINDOW_BITS_MIN), WINDOW_BITS_MAX);
  return {
    windowBits,
    memLevel: Math.min(windowBits - 6, MEMORY_LEVEL_MAX),
    chunkSize: Math.max(bytes, DEFLATED_CHUNK_BYTES_MIN),
  };
};

const deflated = (bytes: Uint8Array): Promise<Buffer> | Buffer =>
  bytes.length > IN_PLACE_BYTES_MAX
    ? deflateAside(bytes)
    : deflateRawSync(bytes, sizedFor(bytes.length));

const inflated = (bytes: Uint8Array): Promise<string> | string => {
  if (bytes.length > IN_PLACE_BYTES_MAX) return inflatePieces(bytes, INFLATED_BYTES_MAX);
  const limits = { maxOutputLength: INFLATED_BYTES_MAX, chunkSize: INFLATED_CHUNK_BYTES };
  return inflateRawSync(bytes, limits).toString("utf8");
};

const dictionaryOf = (known: string): { dictionary: Buffer; hash: Buffer } => {
  const dictionary = Buffer.from(known).subarray(-KNOWN_BYTES_MAX);
  const hash = digestOf("sha256", dictionary, "buffer").subarray(0, KNOWN_HASH_BYTES);
  return { dictionary, hash };
};

const packAgainst = (bytes: Buffer, known: string): Buffer => {
  const { dictionary, hash } = dictionaryOf(known);
  return Buffer.concat([
    Buffer.of(COMPRESSED_AGAINST),
    hash,
    deflateRawSync(bytes, { dictionary, ...sizedFor(bytes.length, dictionary.length) }),
  ]);
};

const unpackAgainst = (bytes: Buffer, known: string | undefined): Buffer => {
  const { dictionary, hash } = dictionaryOf(known ?? "");
  const body = bytes.subarray(1);
  assert(body.subarray(0, KNOWN_HASH_BYTES).equals(hash), "the known text is another one");
  return inflateRawSync(body.subarray(KNOWN_HASH_BYTES), {
    dictionary,
    maxOutputLength: INFLATED_BYTES_MAX,
    chunkSize: INFLATED_CHUNK_BYTES,
  });
};

const packLong = async (text: string): Promise<Buffer> => {
  const length = Buffer.byteLength(text);
  if (length > INFLATED_BYTES_MAX) return Buffer.from(text);
  const packed = Buffer.concat([Buffer.of(COMPRESSED), ...(await deflatePieces(text))]);
  return packed.length < length ? packed : Buffer.from(text);
};

export const packText = async (text: string, known?: string): Promise<Buffer> => {
  if (text.length > WHOLE_CHARS_MAX) return packLong(text);
  const bytes = Buffer.from(text);
  if (known !== undefined && bytes.length <= KNOWN_BYTES_MAX) {
    const against = packAgainst(bytes, known);
    if (against.length < bytes.length) return against;
  }
  if (bytes.length < COMPRESSED_BYTES_MIN || bytes.length > INFLATED_BYTES_MAX) return bytes;
  const packed = Buffer.concat([Buffer.of(COMPRESSED), await deflated(bytes)]);
  return packed.length < bytes.length ? packed : bytes;
};

export const unpackText = async (bytes: Buffer, known?: string): Promise<string> => {
  if (bytes[0] === COMPRESSED_AGAINST) return unpackAgainst(bytes, known).toString("utf8");
  return bytes[0] === COMPRESSED ? inflated(bytes.subarray(1)) : bytes.toString("utf8");
};

const PIECE_CHARS = 65_536;
const OPTIONS = { chunkSize: PIECE_CHARS };

const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** A piece must not end between the two halves of a surrogate pair. */
function* piecesOf(text: string): Generator<Buffer> {
  for (let at = 0; at < text.length; ) {
    const end = at + PIECE_CHARS;
    const next = isFirstHalf(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield Buffer.from(text.slice(at, next));
    at = next;
  }
}

/**
 * Compresses and inflates long texts in pieces, so that memory never contains the whole text as
 * bytes. The system's allocator does not return such memory: 80 MB after a few templates of 9 MB.
 */
const deflatePieces = async (text: string): Promise<readonly Buffer[]> => {
  const packed: Buffer[] = [];
  const pieces: AsyncIterable<Buffer> = Readable.from(piecesOf(text)).pipe(
    createDeflateRaw(OPTIONS),
  );
  for await (const piece of pieces) packed.push(piece);
  return packed;
};

const inflatePieces = async (bytes: Uint8Array, bytesMax: number): Promise<string> => {
  const inflate = createInflateRaw(OPTIONS);
  inflate.end(bytes);
  const decoder = new StringDecoder("utf8");
  const pieces: AsyncIterable<Buffer> = inflate;
  let text = "";
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > bytesMax) throw new RangeError("the text is too long");
    text += decoder.write(piece);
  }
  return text + decoder.end();
};
