/** Everything the core is given. The host binds these once, the handlers pass them on. */
import type { Blobs } from "./blobs.ts";
import type { Cipher } from "./cipher.ts";
import type { Clock } from "./clock.ts";
import type { FakeProvider } from "./fake-provider.ts";
import type { Ids } from "./ids.ts";
import type { Queue } from "./queue.ts";
import type { Random } from "./random.ts";
import type { ResourceTypes } from "./resource-type.ts";
import type { Signer } from "./signer.ts";
import type { SoftwareConfigStore } from "./software-config-store.ts";
import type { Store } from "./store.ts";
import type { Uploads } from "./uploads.ts";

export interface Ports {
  readonly store: Store;
  readonly softwareConfigs: SoftwareConfigStore;
  readonly queue: Queue;
  readonly blobs: Blobs;
  readonly uploads: Uploads;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly signer: Signer;
  readonly cipher: Cipher;
  readonly fakeProvider: FakeProvider;
  readonly resourceTypes: ResourceTypes;
  /** Where agents and clients reach this deployment, without a slash at the end: `https://host/stage`. */
  readonly publicUrl: string;
  /** What runs here, as `GET /build_info` tells it: what its operator calls it, or the package's version. */
  readonly revision: string;
  /** What stands behind it for whoever asks at this moment, in the links of answers: `/iam`. Agents come in without. */
  readonly callersBase?: string;
  /** Step mode: what has nothing to do is visited all the same, as whoever steps through it expects. */
  readonly showsEveryVisit?: boolean;
  /** Heat's max_template_size, where the operator has set it. */
  readonly templateBytesMax?: number;
}
