/** What a handler gets besides its call. It has no access to other resources, stores or queues. */
import type { ConfigContent } from "#lib/model/software-config.ts";
import type { Blobs } from "./blobs.ts";
import type { Clock } from "./clock.ts";
import type { Ids } from "./ids.ts";

export interface ResourceContext {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly blobs: Pick<Blobs, "put" | "get" | "delete">;
  sealConfig(id: string, content: ConfigContent): Promise<string>;
}
