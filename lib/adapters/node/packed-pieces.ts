/**
 * Compresses and inflates long texts in pieces, so that memory never contains the whole text as
 * bytes. The system's allocator does not return such memory: 80 MB after a few templates of 9 MB.
 */
import { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createDeflateRaw, createInflateRaw } from "node:zlib";

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

export const deflatePieces = async (text: string): Promise<readonly Buffer[]> => {
  const packed: Buffer[] = [];
  const pieces: AsyncIterable<Buffer> = Readable.from(piecesOf(text)).pipe(
    createDeflateRaw(OPTIONS),
  );
  for await (const piece of pieces) packed.push(piece);
  return packed;
};

export const inflatePieces = async (bytes: Uint8Array, bytesMax: number): Promise<string> => {
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
