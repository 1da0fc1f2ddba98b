import { CallerRefused } from "#provider/errors.ts";
import type { Answer, JsonObject } from "#provider/provider.ts";
import type { PatchOperation } from "./types/patch.ts";

/** AWS remembers a request for seven days. */
export interface Progress {
  readonly requestToken: string;
  readonly status: "running" | "succeeded" | "failed";
  readonly identifier: string | null;
  /** AWS's code of a failure, such as `AlreadyExists`. */
  readonly code: string | null;
  readonly message: string;
  readonly afterSeconds: number | null;
}

interface Request {
  readonly type: string;
  /** AWS answers a repeated token as it answered the first time. */
  readonly clientToken: string;
  readonly signal: AbortSignal;
}

export interface CloudControl {
  readonly create: (request: Request & { readonly model: JsonObject }) => Promise<Progress>;
  readonly update: (
    request: Request & {
      readonly identifier: string;
      readonly patch: readonly PatchOperation[];
    },
  ) => Promise<Progress>;
  readonly delete: (request: Request & { readonly identifier: string }) => Promise<Progress>;
  readonly progress: (requestToken: string, signal: AbortSignal) => Promise<Progress | null>;
  /** Returns null if the object does not exist, or cannot be seen yet. */
  readonly read: (
    type: string,
    identifier: string,
    signal: AbortSignal,
  ) => Promise<JsonObject | null>;
  readonly list: (
    type: string,
    page: string | null,
    signal: AbortSignal,
  ) => Promise<{ readonly identifiers: readonly string[]; readonly next: string | null }>;
}

/** The account of a project, which may be opened only now. Throws NoRole. */
export type Accounts = (tenant: string) => CloudControl | Promise<CloudControl>;

export class NoRole extends Error {
  override readonly name = "NoRole";
}

/** AWS refused the call, which had no effect. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The call was throttled, or its answer was lost. It can be repeated with its token. */
export class TryAgain extends Error {
  override readonly name = "TryAgain";
  readonly afterSeconds: number;
  constructor(message: string, afterSeconds: number, options?: ErrorOptions) {
    super(message, options);
    this.afterSeconds = afterSeconds;
  }
}

/** The role was deleted or lacks a permission, or Hearth may not assume the role. */
const NOT_ALLOWED: ReadonlySet<string> = new Set([
  "AccessDenied",
  "AccessDeniedException",
  "AuthFailure",
  "CredentialsProviderError",
  "InvalidClientTokenId",
  "InvalidSignatureException",
  "MissingAuthenticationToken",
  "OptInRequired",
  "SignatureDoesNotMatch",
  "UnauthorizedOperation",
  "UnrecognizedClientException",
]);

/** Every request has a token, so a request whose outcome is unknown can be repeated. */
export const asked = async <Found>(work: () => Promise<Found>): Promise<Found | Answer> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TryAgain) {
      return { state: "throttled", afterSeconds: error.afterSeconds, reason: error.message };
    }
    if (error instanceof NoRole) throw new CallerRefused(error.message, { cause: error });
    if (!(error instanceof Refused)) throw error;
    const reason = `AWS: ${error.code}: ${error.message}`;
    if (NOT_ALLOWED.has(error.code)) throw new CallerRefused(reason, { cause: error });
    return { state: "failed", reason };
  }
};
