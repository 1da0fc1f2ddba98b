/** Key pairs for sshd. */
import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

const MODULUS_BITS = 2_048;

/** In SSH's wire format each part has its length before it. */
const part = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** A number is signed, so one with its first bit set needs a zero before it. */
const positive = (text: string | undefined): Buffer => {
  const bytes = Buffer.from(text ?? "", "base64url");
  return (bytes[0] ?? 0) < 128 ? bytes : Buffer.concat([Buffer.alloc(1), bytes]);
};

const KIND = "ssh-rsa";

const sshLine = (key: KeyObject, comment: string): string => {
  const { n, e } = key.export({ format: "jwk" });
  const bytes = Buffer.concat([part(Buffer.from(KIND)), part(positive(e)), part(positive(n))]);
  return `${KIND} ${bytes.toString("base64")} ${comment}`;
};

export interface SshKey {
  readonly publicKey: string;
  /** Empty: it was given, or is not kept. */
  readonly privateKey: string;
}

/** RSA, because every sshd takes it. `name` is its comment. */
export const generateSshKey = async (name: string): Promise<SshKey> => {
  const made = await promisify(generateKeyPair)("rsa", { modulusLength: MODULUS_BITS });
  return {
    publicKey: sshLine(made.publicKey, name),
    privateKey: made.privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
  };
};
