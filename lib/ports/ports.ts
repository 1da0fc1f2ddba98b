/** The ports of the engine. functions/aws or the host binds them, and the handlers pass them on. */
import type { Blobs } from "./blobs.ts";
import type { Cipher } from "./cipher.ts";
import type { Clock } from "./clock.ts";
import type { Ids } from "./ids.ts";
import type { Queue } from "./queue.ts";
import type { ResourceTypes } from "./resource-type.ts";
import type { Signer } from "./signer.ts";
import type { SoftwareConfigStore } from "./software-config-store.ts";
import type { Store } from "./store.ts";
import type { TextReader } from "./text-reader.ts";
import type { Turns } from "./turns.ts";
import type { Uploads } from "./uploads.ts";

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
