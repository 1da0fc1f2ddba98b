/** What a handler is given beside its call. It reaches no other resource, no store and no queue. */
import type { Blobs } from "./blobs.ts";
import type { Clock } from "./clock.ts";
import type { Ids } from "./ids.ts";

/** Encryption at rest under the key of the resource's stack. */
export interface Secrets {
  seal(text: string): Promise<string>;
  open(sealed: string): Promise<string>;
}

export interface ResourceContext {
  readonly clock: Clock;
  readonly ids: Ids;
  /** The resource's own keys. Its handlers delete what they put. */
  readonly blobs: Pick<Blobs, "put" | "get" | "delete">;
  readonly secrets: Secrets;
}
