import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { Signer } from "#lib/ports/ports.ts";
import { grantSigner, type KeyedHash } from "../local/grant-signer.ts";
import type { SigningKey } from "../local/keys.ts";
import { base64Url } from "./base64-url.ts";

const isEqual = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1)
    difference |= one.charCodeAt(at) ^ (other.charCodeAt(at) || 0);
  return difference === 0;
};

const HASH: KeyedHash = {
  hmac: (secret, text) => base64Url(hmac(sha256, secret, utf8ToBytes(text))),
  isEqual,
};

/** The signatures equal those of the Node adapter. */
export const nobleSigner = (keys: readonly SigningKey[]): Signer => grantSigner(keys, HASH);
