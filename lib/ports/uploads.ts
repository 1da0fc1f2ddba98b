/**
 * Space for bodies that are too large for a request. The sender gets a place and puts the body
 * there. The engine looks for uploads itself, copies what it keeps, and then deletes the upload.
 * Uploads that nobody fetches expire within two days, so the function that agents reach needs no
 * right to delete.
 */
export interface UploadKey {
  readonly tenant: string;
  readonly id: string;
}

export interface Upload extends UploadKey {
  readonly bytes: number;
  readonly sha256: string;
  readonly expiresAt: number;
}

export interface UploadPlace {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Uploads {
  open(upload: Upload): Promise<UploadPlace>;
  get(key: UploadKey): Promise<string | null>;
  delete(key: UploadKey): Promise<void>;
}

/**
 * @limit a result that an agent uploads
 * @beyond 413 to the request for a place. On AWS, S3 refuses any other content of the signed URL
 */
export const UPLOAD_BYTES_MAX = 6 * 1_024 * 1_024;
