/** What a handler is given beside its call. It reaches no other resource, no store and no queue. */
import type { ConfigContent } from "#lib/model/software-config.ts";
import type { Blobs } from "./blobs.ts";
import type { Clock } from "./clock.ts";
import type { Ids } from "./ids.ts";

export interface ResourceContext {
  readonly clock: Clock;
  readonly ids: Ids;
  /** The resource's own keys. Its handlers delete what they put. */
  readonly blobs: Pick<Blobs, "put" | "get" | "delete">;
  /** The `content` of a config with this id in the resource's stack. */
  sealConfig(id: string, content: ConfigContent): Promise<string>;
}
