import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

const MODULUS_BITS = 2_048;

/** SSH's wire format puts the length before each part. */
const part = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** A number is signed, so one whose first bit is set needs a leading zero. */
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

export interface SshPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

export const generateSshPair = async (comment: string): Promise<SshPair> => {
  const made = await promisify(generateKeyPair)("rsa", { modulusLength: MODULUS_BITS });
  return {
    publicKey: sshLine(made.publicKey, comment),
    privateKey: made.privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
  };
};
