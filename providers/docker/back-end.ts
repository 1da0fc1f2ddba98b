import type { Answer, JsonObject } from "#provider/provider.ts";
import { type RefusedProperty, refusedBy } from "#providers/server-provider.ts";
import { listOf } from "#providers/values.ts";
import { type Engine, EngineRefused, EngineUnreachable } from "./engine/client.ts";
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

type Settings = Pick<BackEnd, "agentProgram" | "defaultNetwork">;

export const backEndOf = (engine: Engine, settings: Settings): BackEnd => ({
  ...settings,
  containers: containersOf(engine),
  images: imagesOf(engine),
  networks: networksOf(engine),
  volumes: volumesOf(engine),
});

const AGAIN_SECONDS = 2;
const POLL_SECONDS = 1;
const UNAVAILABLE = 503;

const again = ({ message }: Error): Answer => ({
  state: "throttled",
  afterSeconds: AGAIN_SECONDS,
  reason: message,
});

export const waiting = (physicalId: string): Answer => ({
  state: "waiting",
  physicalId,
  pollAfterSeconds: POLL_SECONDS,
});

/**
 * Every object has a key, so a call whose outcome is unknown is repeated. If a refused call may
 * have done something, `physicalId` is what a delete gets.
 */
export const asked = async <Result>(
  work: () => Promise<Result>,
  physicalId?: string,
): Promise<Result | Answer> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineUnreachable) return again(error);
    if (!(error instanceof EngineRefused)) throw error;
    return error.status === UNAVAILABLE
      ? again(error)
      : { state: "failed", reason: `Docker: ${error.message}`, physicalId };
  }
};

const DEFAULT_GROUP = "default";

export const refuseGroups = (properties: JsonObject): RefusedProperty | null =>
  listOf(properties["security_groups"]).every((one) => one === DEFAULT_GROUP || one === "")
    ? null
    : {
        property: "security_groups",
        why: "containers of a network reach one another, and nothing filters their traffic",
      };

export const textOfRefusal = (refused: RefusedProperty): string => refusedBy("Docker", refused);
