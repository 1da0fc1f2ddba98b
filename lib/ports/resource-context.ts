/** What every handler is given beside its call. It cannot reach other resources, the store or the queues. */
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
  /** The resource's own: two resources never share a key. Its handlers delete what they put. */
  readonly blobs: Blobs;
  readonly secrets: Secrets;
}
