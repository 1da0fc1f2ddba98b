/** Changes a server in place, one step a call. Each call reads the server to see what is done. */
import type { Answer, JsonObject, ObjectCall } from "#provider/provider.ts";
import { isChanged, mayDiffer, type Replaces, replacedBy } from "#providers/server-provider.ts";
import { hasAll } from "#providers/values.ts";
import { textOf } from "../../values.ts";
import { type At, askNova } from "../asked.ts";
import { BAD_REQUEST, CONFLICT, expectDone } from "../cloud.ts";
import { METADATA } from "../marks.ts";
import { flavorByName } from "../names.ts";
import { handoverTags } from "./port-handover.ts";
import { imageIdOf, metadataOf, tagsOf } from "./server-request.ts";
import { ERROR, isBroken, type NovaServer } from "./servers.ts";

const POLICIES = [
  ["image", "image_update_policy"],
  ["flavor", "flavor_update_policy"],
  ["user_data", "user_data_update_policy"],
] as const;

export const replacesServer: Replaces = (before, after) =>
  replacedBy("networks")(before, after) ||
  POLICIES.some(([name, policy]) => after[policy] === "REPLACE" && replacedBy(name)(before, after));

const RESIZED = "resize";
const FINISHED: Answer = { state: "finished" };

const wait = ({ call, pace }: At<ObjectCall>, handle: string): Answer => ({
  state: "waiting",
  physicalId: call.physicalId,
  ...(handle === "" ? {} : { handle }),
  pollAfterSeconds: pace.pollSeconds,
});

/** Nova refuses an action while it is busy. The next call tries again. */
const act = async (
  at: At<ObjectCall>,
  { id }: NovaServer,
  json: JsonObject,
  handle: string,
): Promise<Answer> => {
  const answer = await askNova(at, { method: "POST", path: `/servers/${id}/action`, json });
  // Nova answers 400 while it is confirming the resize.
  const isBusy =
    answer.status === CONFLICT || ("confirmResize" in json && answer.status === BAD_REQUEST);
  if (isBusy) return wait(at, "");
  expectDone(answer);
  return wait(at, handle);
};

const put = async (at: At, path: string, json: JsonObject): Promise<void> => {
  expectDone(await askNova(at, { method: "PUT", path, json }));
};

const isRebuilt = ({ metadata }: NovaServer): boolean => metadata[METADATA.rebuild] !== undefined;

/**
 * The metadata note is written first. If the update fails later, the next one then knows that the
 * image may differ. The image's name cannot tell, since it may mean a newer image by then.
 */
const rebuild = async (at: At<ObjectCall>, server: NovaServer, imageId: string) => {
  if (!isRebuilt(server)) {
    const metadata = { ...server.metadata, [METADATA.rebuild]: imageId };
    await put(at, `/servers/${server.id}/metadata`, { metadata });
  }
  return act(at, server, { rebuild: { imageRef: imageId } }, "rebuild");
};

const descriptionOf = (at: At<ObjectCall>, server: NovaServer) => {
  const given = textOf(at.call.properties["name"]);
  const name = given === "" ? server.name : given;
  const mark = server.metadata[METADATA.id] ?? at.call.physicalId;
  const wanted = {
    name,
    tags: [...tagsOf(at, mark), ...handoverTags(server)],
    metadata: metadataOf(at, mark),
  };
  const { tags, metadata } = server;
  const differ = {
    name: name !== server.name,
    tags: !hasAll(wanted.tags, tags),
    metadata: !hasAll(wanted.metadata, metadata),
  };
  return { wanted, differ };
};

export const whatDiffers = async (
  at: At<ObjectCall>,
  server: NovaServer,
): Promise<readonly string[]> => {
  const { differ } = descriptionOf(at, server);
  const flavor = textOf(at.call.properties["flavor"]);
  const { original_name: live } = server.flavor;
  const isOther = flavor !== live && (await flavorByName(at, flavor)).name !== live;
  const described = Object.entries(differ).flatMap(([name, isSo]) => (isSo ? [name] : []));
  return [...(isOther ? ["flavor"] : []), ...described];
};

const describe = async (at: At<ObjectCall>, server: NovaServer): Promise<void> => {
  const path = `/servers/${server.id}`;
  const { wanted, differ } = descriptionOf(at, server);
  const { name, tags, metadata } = wanted;
  if (differ.tags) await put(at, `${path}/tags`, { tags });
  if (differ.name) await put(at, path, { server: { name } });
  const isOther = differ.metadata || mayDiffer(at.call, "metadata");
  // The last request also removes the note of a rebuild.
  if (isOther || isRebuilt(server)) await put(at, `${path}/metadata`, { metadata });
};

/** `finished` means that the server is as asked. `handle` is what the last call was waiting for. */
export const updateServer = async (
  at: At<ObjectCall>,
  server: NovaServer,
  handle: string,
): Promise<Answer> => {
  const { call } = at;
  const { status, fault, "OS-EXT-STS:task_state": task } = server;
  if (replacesServer(call.previousProperties ?? {}, call.properties)) return { state: "replace" };
  // As in Heat, a server that has failed for Nova too is replaced.
  if (call.repairs && isBroken(server)) return { state: "replace" };
  if (status === ERROR) {
    return { state: "failed", reason: `OpenStack: ${fault?.message ?? "its status is ERROR"}` };
  }
  if ((task ?? null) !== null) return wait(at, handle);
  if (status === "VERIFY_RESIZE") return act(at, server, { confirmResize: null }, handle);
  if (["BUILD", "REBUILD", "RESIZE", "REVERT_RESIZE"].includes(status)) return wait(at, handle);
  const isOther = isChanged(call, "image") || isRebuilt(server);
  const imageId = isOther ? await imageIdOf(at) : null;
  if (imageId !== null && server.image !== "" && server.image?.id !== imageId) {
    return rebuild(at, server, imageId);
  }
  const flavor = mayDiffer(call, "flavor")
    ? await flavorByName(at, textOf(call.properties["flavor"]))
    : null;
  if (flavor !== null && server.flavor.original_name !== flavor.name) {
    if (handle === RESIZED) {
      return {
        state: "failed",
        reason: `OpenStack: no resize: ${fault?.message ?? "Nova has ended it"}`,
      };
    }
    return act(at, server, { resize: { flavorRef: flavor.id } }, RESIZED);
  }
  await describe(at, server);
  return FINISHED;
};
