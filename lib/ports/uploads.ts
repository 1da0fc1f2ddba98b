/**
 * Room for bodies that are too large for a request: whoever is given a place sends the body there by itself, and
 * nobody learns of it but by asking. It goes by itself, within a day or two: whoever takes it for good copies it, and
 * the function that strangers reach need not be able to delete anything.
 */
export interface Upload {
  readonly tenant: string;
  /** There is one for each id: what was sent before is replaced. */
  readonly id: string;
  readonly bytes: number;
  /** Of these bytes, in base64. */
  readonly sha256: string;
  /** Until when it may be sent, milliseconds since 1970. */
  readonly expiresAt: number;
}

/** For a PUT of exactly this content, with these headers. */
export interface UploadPlace {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Uploads {
  /** May be called again, for other content too. */
  open(upload: Upload): Promise<UploadPlace>;
  /** Null where nothing was sent. */
  get(id: string): Promise<string | null>;
}

/** What a sender may put into one. */
export const UPLOAD_BYTES_MAX = 6 * 1_024 * 1_024;
