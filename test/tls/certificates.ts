/**
 * Certificates for tests that run everywhere, since openssl is not everywhere. They were made as
 * test/tls/authority.ts makes some. They are valid for a hundred years, and nobody has the
 * authorities' keys.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Paths of files. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

const pathOf = (name: string): string =>
  fileURLToPath(new URL(`./certificates/${name}`, import.meta.url));

export const CA_FILE = pathOf("ca.pem");
/** It has issued none of these certificates. */
export const OTHER_CA_FILE = pathOf("other-ca.pem");

/**
 * `first` and `second` are of the authority, for 127.0.0.1 among others. `elsewhere` is of the
 * authority too, for another name. `alone` signs itself, for 127.0.0.1.
 */
export const keyPair = (name: "first" | "second" | "elsewhere" | "alone"): KeyPair => ({
  cert: pathOf(`${name}.pem`),
  key: pathOf(`${name}.key`),
});

export const readPair = ({ cert, key }: KeyPair) => ({
  cert: readFileSync(cert, "utf8"),
  key: readFileSync(key, "utf8"),
});
