const BLOCK_BYTES = 512;
const NAME_BYTES_MAX = 100;

export interface PackedFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

const FOLDER_MODE = 0o755;

const octal = (value: number, length: number): string =>
  `${value.toString(8).padStart(length - 1, "0")}\0`;

const header = (name: string, bytes: number, mode: number, kind: "0" | "5"): Buffer => {
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) throw new Error(`${name} is too long for a tar`);
  const block = Buffer.alloc(BLOCK_BYTES);
  block.write(name, 0);
  block.write(octal(mode, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(bytes, 12), 124);
  block.write(octal(0, 12), 136);
  // The checksum counts its own field as blanks.
  block.write(" ".repeat(8), 148);
  block.write(kind, 156);
  block.write("ustar\0" + "00", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
};

const folded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES)]);

const foldersOf = (path: string): readonly string[] => {
  const parts = path.split("/").slice(1, -1);
  return parts.map((_, at) => `${parts.slice(0, at + 1).join("/")}/`);
};

const SIZE_AT = 124;
const SIZE_CHARS = 12;
const KIND_AT = 156;
const FILES: readonly string[] = ["0", ""];

export const filesIn = (tar: Buffer): ReadonlyMap<string, string> => {
  const files = new Map<string, string>();
  let at = 0;
  const field = (from: number, chars: number): string =>
    tar
      .toString("utf8", at + from, at + from + chars)
      .split("\0", 1)
      .join("");
  while (at + BLOCK_BYTES <= tar.length && tar[at] !== 0) {
    const bytes = Number.parseInt(field(SIZE_AT, SIZE_CHARS), 8);
    const begin = at + BLOCK_BYTES;
    if (FILES.includes(field(KIND_AT, 1))) {
      files.set(field(0, NAME_BYTES_MAX), tar.toString("utf8", begin, begin + bytes));
    }
    at = begin + Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return files;
};

/** Existing folders of the image keep their files. */
export const tarOf = (files: readonly PackedFile[]): Buffer => {
  const folders = [...new Set(files.flatMap(({ path }) => foldersOf(path)))];
  const blocks = [
    ...folders.map((name) => header(name, 0, FOLDER_MODE, "5")),
    ...files.flatMap(({ path, text, mode }) => {
      const bytes = Buffer.from(text);
      return [header(path.slice(1), bytes.length, mode, "0"), folded(bytes)];
    }),
  ];
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK_BYTES)]);
};
