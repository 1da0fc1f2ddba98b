export interface SigningKey {
  readonly kid: string;
  readonly secret: Uint8Array;
}

/** As long as the hash. A shorter key would weaken the signature. */
export const SIGNING_KEY_BYTES_MIN = 32;
export const ENCRYPTION_KEY_BYTES = 32;
