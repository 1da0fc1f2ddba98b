/**
 * Space for bodies that are too large for a request. The sender gets a place and puts the body
 * there. Nothing announces an upload: the engine asks for it. It copies what it keeps, and then
 * deletes the upload. An upload that nobody asks for expires within two days, so the function that
 * agents reach needs no right to delete.
 */
export interface UploadKey {
  readonly tenant: string;
  /** A new upload of the same id replaces the former one. */
  readonly id: string;
}

export interface Upload extends UploadKey {
  readonly bytes: number;
  /** The hash of the content, in base64. */
  readonly sha256: string;
  /** When the place closes, milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Takes a PUT of exactly this content with these headers. */
export interface UploadPlace {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Uploads {
  /** May be called again, also for other content. */
  open(upload: Upload): Promise<UploadPlace>;
  /** Null: nothing was sent. */
  get(key: UploadKey): Promise<string | null>;
  /** Deletes all that was sent. */
  delete(key: UploadKey): Promise<void>;
}

/**
 * @limit a result that an agent uploads
 * @beyond 413 to the request for a place. On AWS, S3 refuses any other content of the signed URL
 */
export const UPLOAD_BYTES_MAX = 6 * 1_024 * 1_024;
