/**
 * The content of a disk after a power cut, computed from the journal of lossy-disk.c: all that was
 * flushed, and a random part of the rest. A file's bytes are on the disk after a flush of the file,
 * its name after a flush of its folder.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Random } from "#lib/ports/ports.ts";

const KINDS = [
  "none",
  "name file",
  "name folder",
  "write",
  "truncate",
  "flush file",
  "flush folder",
  "rename",
  "unname",
  "link",
] as const;
const HEADER_BYTES = 32;

interface Operation {
  readonly kind: (typeof KINDS)[number];
  /** The file's number, which a later file can have again. */
  readonly file: bigint;
  readonly offset: number;
  readonly first: Buffer;
  readonly second: Buffer;
}

/** A kill can cut the last operation off. */
function* operationsIn(journal: Buffer): Generator<Operation> {
  let at = 0;
  while (at + HEADER_BYTES <= journal.length) {
    const kind = KINDS[journal.readUInt32LE(at)] ?? "none";
    const [firstBytes, secondBytes] = [journal.readUInt32LE(at + 4), journal.readUInt32LE(at + 8)];
    const [file, offset] = [journal.readBigUInt64LE(at + 16), journal.readBigUInt64LE(at + 24)];
    const body = at + HEADER_BYTES;
    const [middle, end] = [body + firstBytes, body + firstBytes + secondBytes];
    if (end > journal.length) return;
    const [first, second] = [journal.subarray(body, middle), journal.subarray(middle, end)];
    yield { kind, file, offset: Number(offset), first, second };
    at = end;
  }
}

interface DiskFile {
  readonly isFolder: boolean;
  room: Buffer;
  length: number;
  pending: Operation[];
}

/** A null file means that the name is removed. */
type Naming = readonly (readonly [path: string, file: DiskFile | null])[];

interface Platter {
  readonly names: Map<string, DiskFile>;
  pending: Naming[];
}

const fileOf = (bytes: Buffer, isFolder = false): DiskFile => ({
  isFolder,
  room: bytes,
  length: bytes.length,
  pending: [],
});

const GROWTH = 2;

/** A log is flushed at each commit, so it must grow without a copy each time. */
const grow = (file: DiskFile, length: number): void => {
  if (length > file.room.length) {
    const room = Buffer.alloc(GROWTH * length);
    file.room.copy(room);
    file.room = room;
  }
  file.length = Math.max(file.length, length);
};

const put = (file: DiskFile, { kind, offset, first }: Operation, bytesMax = first.length): void => {
  if (kind === "truncate") {
    grow(file, offset);
    file.room.fill(0, offset);
    file.length = offset;
  } else {
    grow(file, offset + bytesMax);
    first.copy(file.room, offset, 0, bytesMax);
  }
};

const name = (platter: Platter, naming: Naming): void => {
  for (const [path, file] of naming) {
    if (file === null) platter.names.delete(path);
    else platter.names.set(path, file);
  }
};

const flushFile = (file: DiskFile): void => {
  for (const operation of file.pending) put(file, operation);
  file.pending = [];
};

const flushFolder = (platter: Platter, folder: string): void => {
  const isHere = (naming: Naming): boolean => naming.some(([path]) => dirname(path) === folder);
  for (const naming of platter.pending.filter(isHere)) name(platter, naming);
  platter.pending = platter.pending.filter((naming) => !isHere(naming));
};

const platterOf = (root: string): { platter: Platter; byNumber: Map<bigint, DiskFile> } => {
  const platter: Platter = { names: new Map(), pending: [] };
  const byNumber = new Map<bigint, DiskFile>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isFolder = entry.isDirectory();
    const file = fileOf(isFolder ? Buffer.alloc(0) : readFileSync(path), isFolder);
    platter.names.set(path, file);
    byNumber.set(statSync(path, { bigint: true }).ino, file);
  }
  return { platter, byNumber };
};

const namingOf = ({ kind, first, second }: Operation, file: DiskFile | undefined): Naming => {
  const path = first.toString();
  if (kind === "unname") return [[path, null]];
  if (file === undefined)
    throw new Error(`the journal names ${path}, a file that it does not know`);
  return kind === "rename"
    ? [
        [path, null],
        [second.toString(), file],
      ]
    : [[path, file]];
};

const play = (platter: Platter, byNumber: Map<bigint, DiskFile>, journal: Buffer): void => {
  for (const operation of operationsIn(journal)) {
    const { kind, file: number, first } = operation;
    if (kind === "name file" || kind === "name folder")
      byNumber.set(number, fileOf(Buffer.alloc(0), kind === "name folder"));
    const file = byNumber.get(number);
    if (kind === "write" || kind === "truncate") file?.pending.push(operation);
    else if (kind === "flush file" && file) flushFile(file);
    else if (kind === "flush folder") flushFolder(platter, first.toString());
    else if (kind !== "flush file") platter.pending.push(namingOf(operation, file));
  }
};

const HALF = 2;

/**
 * Applies some of what was not flushed: names in their order, as file systems keep it, and any of
 * the writes, each of which may be torn.
 */
const addSome = (platter: Platter, files: readonly DiskFile[], random: Random): void => {
  const kept = platter.pending.slice(0, random.below(platter.pending.length + 1));
  for (const naming of kept) name(platter, naming);
  for (const file of files) {
    for (const operation of file.pending.filter(() => random.below(HALF) === 0)) {
      const isTorn = random.below(HALF) === 0;
      put(file, operation, isTorn ? operation.first.length >> 1 : operation.first.length);
    }
  }
};

interface Cut {
  readonly unflushed: number;
}

export interface LossyFolder {
  begin(): void;
  cut(random: Random): Cut;
}

export const lossyFolder = (root: string, journal: string): LossyFolder => {
  let begun = platterOf(root);
  return {
    begin: () => {
      rmSync(journal, { force: true });
      begun = platterOf(root);
    },
    cut: (random) => {
      const { platter, byNumber } = begun;
      play(platter, byNumber, readFileSync(journal));
      const files = [...new Set([...byNumber.values(), ...platter.names.values()])];
      const writes = files.reduce((count, { pending }) => count + pending.length, 0);
      const unflushed = writes + platter.pending.length;
      if (random.below(HALF) === 0) addSome(platter, files, random);
      rewrite(root, platter);
      return { unflushed };
    },
  };
};

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

const rewrite = (root: string, { names }: Platter): void => {
  for (const entry of readdirSync(root)) rmSync(join(root, entry), { recursive: true });
  const paths = [...names].toSorted(([one], [other]) => one.length - other.length);
  for (const [path, { isFolder, room, length }] of paths) {
    // A file whose folder has lost its name cannot be reached.
    if (!names.has(dirname(path)) && dirname(path) !== root) continue;
    if (isFolder) mkdirSync(path, { mode: FOLDER_MODE });
    else writeFileSync(path, room.subarray(0, length), { mode: FILE_MODE });
  }
};
