import type { Answer, Call, JsonObject } from "#provider/provider.ts";
import { idOf } from "#providers/object-names.ts";
import { type RefusedProperty, refusedBy } from "#providers/server-provider.ts";
import { type Ask, type At as CallAt, type Steps, stepsAtOnce, stepsBy } from "#providers/steps.ts";
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
    const isRefused = error instanceof EngineRefused;
    if (isRefused && error.status !== UNAVAILABLE) {
      return { state: "failed", reason: `Docker: ${error.message}`, physicalId };
    }
    if (!isRefused && !(error instanceof EngineUnreachable)) throw error;
    return { state: "throttled", afterSeconds: AGAIN_SECONDS, reason: error.message };
  }
};

/** A call, and the engine that it is for. */
export type At<Given extends Call = Call> = CallAt<BackEnd, Given>;

const askIn =
  (backEnd: BackEnd): Ask<BackEnd> =>
  (call, work) =>
    asked(() => work({ ...backEnd, call }));

const creation = (backEnd: BackEnd, { create }: Steps<BackEnd>) => ({
  create: (call: Call) => asked(() => create({ ...backEnd, call }), idOf(call.token)),
});

export const stepsIn = (backEnd: BackEnd, steps: Steps<BackEnd>) => ({
  ...stepsBy(askIn(backEnd), steps),
  ...creation(backEnd, steps),
});

/** For a type that never waits. */
export const stepsAtOnceIn = (backEnd: BackEnd, steps: Steps<BackEnd>) => ({
  ...stepsAtOnce(askIn(backEnd), steps),
  ...creation(backEnd, steps),
});

const DEFAULT_GROUP = "default";

export const refuseGroups = (properties: JsonObject): RefusedProperty | null =>
  listOf(properties["security_groups"]).every((one) => one === DEFAULT_GROUP || one === "")
    ? null
    : {
        property: "security_groups",
        why: "containers of a network reach one another, and nothing filters their traffic",
      };

export const textOfRefusal = (refused: RefusedProperty): string => refusedBy("Docker", refused);
