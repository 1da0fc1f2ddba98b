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

/** How long what is over is kept. */
export interface Retention {
  /** How long a deleted stack can still be looked at. */
  readonly deletedStackMs: number;
  /** Heat's max_events_per_stack. */
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
  /** Absent: all texts are read in place, as where a process answers one request at a time. */
  readonly textReader?: TextReader;
  /** Absent: long work does not pause, as where a process answers one request at a time. */
  readonly turns?: Turns;
  readonly resourceTypes: ResourceTypes;
  /**
   * The base of every URL in an answer or a document: the agents' signed URLs and the clients'
   * links. It has no slash at the end.
   */
  readonly publicUrl: string;
  /** The base of the URLs that agents poll. Absent: the public one. */
  readonly pollUrl?: string;
  /** The base of the URLs that agents report to. Absent: the public one. */
  readonly reportUrl?: string;
  readonly retention: Retention;
  /**
   * The number of this life of the stored data, which a restore begins. Generations of operations
   * that begin now are above it, so nothing new has an id of what happened after the backup, and
   * what agents and providers remember of that time is not taken for it. Absent: the first life.
   */
  readonly life?: number;
  /**
   * An agent has proven that a newer life of the stored data serves it. Absent: nobody is told, and
   * this one goes on.
   */
  readonly metNewerLife?: (life: number) => void;
}
