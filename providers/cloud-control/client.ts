/** Cloud Control as the types ask it: one account, one region, one role. */
import type { JsonObject } from "#provider/provider.ts";
import type { PatchOperation } from "./types/patch.ts";

/** How far a request is. AWS knows it for seven days. */
export interface Progress {
  readonly requestToken: string;
  readonly status: "running" | "succeeded" | "failed";
  /** Absent until the handler has one. */
  readonly identifier: string | null;
  /** Of a failure: AWS's code, such as `AlreadyExists`. */
  readonly code: string | null;
  readonly message: string;
  /** When it is worth asking again. */
  readonly afterSeconds: number | null;
}

export interface CloudControl {
  readonly create: (given: {
    readonly type: string;
    readonly model: JsonObject;
    readonly clientToken: string;
    readonly signal: AbortSignal;
  }) => Promise<Progress>;
  readonly update: (given: {
    readonly type: string;
    readonly identifier: string;
    readonly patch: readonly PatchOperation[];
    readonly clientToken: string;
    readonly signal: AbortSignal;
  }) => Promise<Progress>;
  readonly delete: (given: {
    readonly type: string;
    readonly identifier: string;
    readonly clientToken: string;
    readonly signal: AbortSignal;
  }) => Promise<Progress>;
  /** Null: AWS does not know the request any more. */
  readonly progress: (requestToken: string, signal: AbortSignal) => Promise<Progress | null>;
  /** Null: there is no such object, or it cannot be seen yet. */
  readonly read: (
    type: string,
    identifier: string,
    signal: AbortSignal,
  ) => Promise<JsonObject | null>;
  /** The identifiers of one page, and the name of the next one. */
  readonly list: (
    type: string,
    page: string | null,
    signal: AbortSignal,
  ) => Promise<{ readonly identifiers: readonly string[]; readonly next: string | null }>;
}

/** Which account a project acts in. It may be opened only now. Throws NoRole. */
export type Accounts = (tenant: string) => CloudControl | Promise<CloudControl>;

/** The operator has named no role for the project. */
export class NoRole extends Error {
  override readonly name = "NoRole";
}

/** AWS has refused the call, and has done nothing. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The call is worth repeating with its token: throttled, busy, or without an answer. */
export class TryAgain extends Error {
  override readonly name = "TryAgain";
  readonly afterSeconds: number;
  constructor(message: string, afterSeconds: number, options?: ErrorOptions) {
    super(message, options);
    this.afterSeconds = afterSeconds;
  }
}
