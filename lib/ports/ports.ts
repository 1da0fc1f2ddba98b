/**
 * The ports of the engine, and the small ones of its hosts. functions/aws or the host binds them,
 * and the handlers pass them on. Stores, queues and resource types have files of their own.
 */
import type { TextReading } from "#lib/model/text-reading.ts";
import type { Queue } from "./queue.ts";
import type { ResourceTypes } from "./resource-type.ts";
import type { SoftwareConfigStore } from "./software-config-store.ts";
import type { Store } from "./store.ts";

export interface Retention {
  readonly deletedStackMs: number;
  readonly eventsPerStackMax: number;
}

export interface Ports {
  readonly store: Store;
  readonly softwareConfigs: SoftwareConfigStore;
  readonly queue: Queue;
  readonly blobs: Blobs;
  readonly uploads: Uploads;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly signer: Signer;
  readonly cipher: Cipher;
  /**
   * Both are absent where a process answers one request at a time. Then texts are read in place,
   * and long work does not pause.
   */
  readonly textReader?: TextReader;
  readonly turns?: Turns;
  readonly resourceTypes: ResourceTypes;
  /**
   * The base of all URLs in answers and documents, such as the agents' signed URLs and the clients'
   * links. It has no slash at the end.
   */
  readonly publicUrl: string;
  readonly pollUrl?: string;
  readonly reportUrl?: string;
  readonly retention: Retention;
  /**
   * The number of this life of the stored data; a restore begins a new life. All new generations
   * are above it. So no new operation reuses an id from after the backup, and agents and providers
   * that remember such an id do not confuse the two. Absent in the first life.
   */
  readonly life?: number;
  readonly metNewerLife?: (life: number) => void;
}

export interface Blobs {
  put(key: string, text: string): Promise<"stored" | "exists">;
  get(key: string): Promise<string | null>;
  delete(key: string): Promise<void>;
  list(prefix: string): Promise<readonly string[]>;
}

export const BLOB_KEYS_MAX = 1_000;

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

interface UploadPlace {
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

export interface SealedPlace {
  /** `tenant/stackId`. Each context has its own key. */
  readonly context: string;
  readonly field: string;
}

/**
 * Encryption at rest, with the place as authenticated data. `known` is a text that the opener has
 * too, so parts of the sealed text that repeat it need no space. It must be the same for both
 * calls.
 */
export interface Cipher {
  seal(place: SealedPlace, text: string, known?: string): Promise<string>;
  open(place: SealedPlace, sealed: string, known?: string): Promise<string>;
}

export interface SignedGrant {
  readonly tenant: string;
  /**
   * "probe" and "life" grant nothing. A probe tests whether a URL arrives complete
   * (lib/engine/health-probe.ts). "life" proves that a folder's life has this `gen`
   * (software-config/document/serve-metadata.ts). Only the embedded host uses "upload".
   */
  readonly kind: "metadata" | "signal" | "probe" | "upload" | "life";
  readonly id: string;
  /** Seconds since 1970. 0 never expires. */
  readonly exp: number;
  readonly gen: number;
}

export interface SignatureQuery {
  readonly kid: string;
  readonly exp: number;
  readonly gen: number;
  readonly sig: string;
}

export interface Signer {
  sign(grant: SignedGrant): SignatureQuery;
  knows(kid: string): boolean;
  /** Compares in constant time. The caller must check the expiry. */
  verify(grant: SignedGrant, kid: string, sig: string): boolean;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

export interface Ids {
  fresh(): string;
  /** Equal parts give the same UUID, so a repetition after a crash uses the same id. */
  derive(...parts: readonly string[]): string;
}

/** Randomness for secrets. The simulation replaces it with a seeded generator. */
export interface Random {
  below(limit: number): number;
}

export interface Turns {
  pause(): Promise<void> | null;
}

export interface TextReader {
  read(text: string): Promise<TextReading>;
}

export type Limited =
  | { readonly isAnswered: true; readonly answer: unknown }
  | { readonly isAnswered: false };

export interface TimeLimit {
  /**
   * Waits at most `limitMs` for the call, and then aborts its signal. If a call with the same key
   * is still running, this waits for it and makes no second call. Throws what the call throws.
   */
  wait(
    key: string,
    limitMs: number,
    call: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<Limited>;
}

export interface Throttle {
  /**
   * Counts one request in the window that begins at `windowStart`. The count may be forgotten from
   * `expiresAt` on.
   * @returns the tenant's count in this window, this request included.
   */
  count(tenant: string, windowStart: number, expiresAt: number): Promise<number>;
}

/** The limits of a token within its project. A token without limits may do everything there. */
export interface Rights {
  readonly mayOnlyRead?: boolean;
  readonly stack?: string;
}

export interface TokenRecord {
  readonly tenant: string;
  readonly rights: Rights;
  /** Milliseconds since 1970, or null if the token never expires. */
  readonly expiresAt: number | null;
}

/** Only hashes of API tokens are stored, so a reader of the store cannot use any of the tokens. */
export interface TokenStore {
  /** The record may have expired, so the caller must compare the time. */
  get(hash: string): Promise<TokenRecord | null>;
}
