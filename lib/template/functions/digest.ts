/**
 * digest: the hexadecimal digest of a text. The names are those of Python's hashlib with OpenSSL 3.
 * The algorithms are Hearth's own, because the core reaches no platform.
 */
import { validationFailed } from "#lib/errors.ts";
import { blake2b, blake2s } from "../digests/blake2.ts";
import { ripemd160 } from "../digests/ripemd160.ts";
import { sha3 } from "../digests/sha3.ts";
import { sm3 } from "../digests/sm3.ts";
import { md5, sha1, sha224, sha256 } from "../digests/words32.ts";
import { sha384, sha512, sha512Shortened } from "../digests/words64.ts";
import { isJsonArray } from "../json-shape.ts";
import { latin1Bytes } from "../python-codecs.ts";
import { pythonRepr } from "../python-text.ts";
import type { TemplateFunction } from "./function.ts";

interface Algorithm {
  readonly digest: (bytes: Uint8Array) => string;
  /** How many characters could be searched while it takes one byte. */
  readonly cost: number;
  /** Python has it from OpenSSL, which finds it in upper case too. */
  readonly anyCase?: true;
}

const FAST = 64;
const SLOW = 512;
const SLOWEST = 1024;
/** The padding, in bytes: what the digest of an empty text takes. */
const PADDING_BYTES = 128;

const anyCase = true;

/** Python needs a length here, which the template cannot give. */
const withoutLength = (): never => {
  throw validationFailed("hexdigest() missing required argument 'length' (pos 1)");
};

const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  ["blake2b", { digest: blake2b, cost: SLOW }],
  ["blake2s", { digest: blake2s, cost: SLOWEST }],
  ["md5", { digest: md5, cost: FAST, anyCase }],
  ["md5-sha1", { digest: (bytes) => md5(bytes) + sha1(bytes), cost: 2 * FAST, anyCase }],
  ["ripemd160", { digest: ripemd160, cost: 2 * FAST, anyCase }],
  ["sha1", { digest: sha1, cost: FAST, anyCase }],
  ["sha224", { digest: sha224, cost: FAST, anyCase }],
  ["sha256", { digest: sha256, cost: FAST, anyCase }],
  ["sha384", { digest: sha384, cost: SLOW, anyCase }],
  ["sha3_224", { digest: sha3(224), cost: SLOWEST }],
  ["sha3_256", { digest: sha3(256), cost: SLOWEST }],
  ["sha3_384", { digest: sha3(384), cost: SLOWEST }],
  ["sha3_512", { digest: sha3(512), cost: SLOWEST }],
  ["sha512", { digest: sha512, cost: SLOW, anyCase }],
  ["sha512_224", { digest: sha512Shortened(224), cost: SLOW, anyCase }],
  ["sha512_256", { digest: sha512Shortened(256), cost: SLOW, anyCase }],
  ["shake_128", { digest: withoutLength, cost: FAST }],
  ["shake_256", { digest: withoutLength, cost: FAST }],
  ["sm3", { digest: sm3, cost: FAST, anyCase }],
]);

const algorithmNamed = (name: string): Algorithm => {
  const known = ALGORITHMS.get(name.toLowerCase());
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
    evaluation.budget.search("digest", (text.length + PADDING_BYTES) * algorithm.cost);
    return algorithm.digest(latin1Bytes(text));
  },
};
