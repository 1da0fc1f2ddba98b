/** digest: the hexadecimal digest of a text, with the names of Python's hashlib on OpenSSL 3. */
import { blake2b, blake2s } from "@noble/hashes/blake2.js";
import { md5, ripemd160, sha1 } from "@noble/hashes/legacy.js";
import { sha224, sha256, sha384, sha512, sha512_224, sha512_256 } from "@noble/hashes/sha2.js";
import { sha3_224, sha3_256, sha3_384, sha3_512 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { validationFailed } from "#lib/errors.ts";
import { isJsonArray } from "../json-shape.ts";
import { pythonRepr } from "../python-text.ts";
import { latin1Bytes } from "../python-values.ts";
import { argument, row, TEXT, type TemplateFunction, takes, textLike } from "./function.ts";

interface Algorithm {
  readonly digest: (bytes: Uint8Array) => string;
  /** Python finds OpenSSL's algorithms in upper case too. */
  readonly anyCase: boolean;
}

const BYTE_CHARACTERS = 128;
const PADDING_BYTES = 128;

/** Python requires a length here, which the template cannot give. */
const withoutLength = (): never => {
  throw validationFailed("hexdigest() missing required argument 'length' (pos 1)");
};

type Hash = (bytes: Uint8Array) => Uint8Array;

const inHex =
  (hash: Hash): Algorithm["digest"] =>
  (bytes) =>
    bytesToHex(hash(bytes));
const ofPython = (digest: Algorithm["digest"]): Algorithm => ({ digest, anyCase: false });
const ofOpenSsl = (digest: Algorithm["digest"]): Algorithm => ({ digest, anyCase: true });

const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  ["blake2b", ofPython(inHex(blake2b))],
  ["blake2s", ofPython(inHex(blake2s))],
  ["md5", ofOpenSsl(inHex(md5))],
  ["ripemd160", ofOpenSsl(inHex(ripemd160))],
  ["sha1", ofOpenSsl(inHex(sha1))],
  ["sha224", ofOpenSsl(inHex(sha224))],
  ["sha256", ofOpenSsl(inHex(sha256))],
  ["sha384", ofOpenSsl(inHex(sha384))],
  ["sha3_224", ofPython(inHex(sha3_224))],
  ["sha3_256", ofPython(inHex(sha3_256))],
  ["sha3_384", ofPython(inHex(sha3_384))],
  ["sha3_512", ofPython(inHex(sha3_512))],
  ["sha512", ofOpenSsl(inHex(sha512))],
  ["sha512_224", ofOpenSsl(inHex(sha512_224))],
  ["sha512_256", ofOpenSsl(inHex(sha512_256))],
  ["shake_128", ofPython(withoutLength)],
  ["shake_256", ofPython(withoutLength)],
]);

/** OpenSSL has these two as well. No public template uses them. */
const LEFT_OUT: readonly string[] = ["md5-sha1", "sm3"];

const algorithmNamed = (name: string): Algorithm => {
  const known = ALGORITHMS.get(name.toLowerCase());
  if (LEFT_OUT.includes(name.toLowerCase())) {
    throw validationFailed(`Hearth does not have the algorithm ${name}. Use sha256 instead`);
  }
  if (known === undefined) {
    const names = [...ALGORITHMS.keys()].map(pythonRepr).join(", ");
    throw validationFailed(`Algorithm must be one of {${names}}`);
  }
  if (known.anyCase || ALGORITHMS.has(name)) return known;
  throw validationFailed(`unsupported hash type ${name}`);
};

export const digest: TemplateFunction = {
  name: "digest",
  description: "The digest of a text, in hexadecimal digits.",
  takes: takes(
    row(
      argument("algorithm", "such as `md5`, `sha256` or `sha512`", textLike("sha256")),
      argument("text", "what has the digest", TEXT),
    ),
  ),
  refuse: () => null,
  evaluate: (unresolved, evaluation) => {
    const args = evaluation.resolve(unresolved);
    if (!isJsonArray(args) || !args.every((item) => typeof item === "string")) {
      throw validationFailed('Argument to function "digest" must be a list of strings');
    }
    const [name, text] = args;
    if (name === undefined || text === undefined || args.length > 2) {
      throw validationFailed('Function "digest" usage: ["<algorithm>", "<value>"]');
    }
    const algorithm = algorithmNamed(name);
    evaluation.budget.search("digest", (text.length + PADDING_BYTES) * BYTE_CHARACTERS);
    return algorithm.digest(latin1Bytes(text));
  },
};
