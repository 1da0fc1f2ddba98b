export interface SigningKey {
  /** Names the key in the URLs that it signed. */
  readonly kid: string;
  readonly secret: Uint8Array;
}

/** As long as the hash: a shorter key would be the weakest part of the signature. */
export const SIGNING_KEY_BYTES_MIN = 32;
export const ENCRYPTION_KEY_BYTES = 32;
