import type { Engine } from "./engine/client.ts";
import { type Containers, containersOf } from "./engine/containers.ts";
import { type Images, imagesOf } from "./engine/images.ts";
import { type Networks, networksOf } from "./engine/networks.ts";
import { type Volumes, volumesOf } from "./engine/volumes.ts";

export interface BackEnd {
  readonly containers: Containers;
  readonly images: Images;
  readonly networks: Networks;
  readonly volumes: Volumes;
  readonly agentProgram: () => Promise<string>;
  /** The network of servers whose template names none. Null means the engine's own bridge. */
  readonly defaultNetwork: string | null;
}

export type Settings = Pick<BackEnd, "agentProgram" | "defaultNetwork">;

export const backEndOf = (engine: Engine, settings: Settings): BackEnd => ({
  ...settings,
  containers: containersOf(engine),
  images: imagesOf(engine),
  networks: networksOf(engine),
  volumes: volumesOf(engine),
});
