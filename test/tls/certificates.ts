/**
 * Certificates for tests that run everywhere, even without openssl. They were made as
 * test/tls/authority.ts makes them, and are valid for a hundred years. The authorities' keys were
 * thrown away.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

const pathOf = (name: string): string =>
  fileURLToPath(new URL(`./certificates/${name}`, import.meta.url));

export const CA_FILE = pathOf("ca.pem");
/** This authority has issued none of the certificates here. */
export const OTHER_CA_FILE = pathOf("other-ca.pem");

/**
 * `first` and `second` are issued by the authority, for 127.0.0.1 among others. `elsewhere` is
 * issued for another name. `alone` is self-signed, for 127.0.0.1.
 */
export const keyPair = (name: "first" | "second" | "elsewhere" | "alone"): KeyPair => ({
  cert: pathOf(`${name}.pem`),
  key: pathOf(`${name}.key`),
});

export const readPair = ({ cert, key }: KeyPair) => ({
  cert: readFileSync(cert, "utf8"),
  key: readFileSync(key, "utf8"),
});
