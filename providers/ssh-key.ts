import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { JsonObject } from "#provider/provider.ts";

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

/** The pair of a template, whose private key Hearth does not know, or a new one. */
export const pairOf = async (given: string, comment: string): Promise<SshPair> =>
  given === "" ? generateSshPair(comment) : { publicKey: given.trim(), privateKey: "" };

/** Only the call that makes a pair knows its private key. It is kept if the template says so. */
export const attributesOfPair = (pair: SshPair, properties: JsonObject): JsonObject => ({
  public_key: pair.publicKey,
  private_key: properties["save_private_key"] === true ? pair.privateKey : "",
});

const generateSshPair = async (comment: string): Promise<SshPair> => {
  const made = await promisify(generateKeyPair)("rsa", { modulusLength: MODULUS_BITS });
  return {
    publicKey: sshLine(made.publicKey, comment),
    privateKey: made.privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
  };
};
