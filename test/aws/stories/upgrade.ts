import { deepEqual, equal, ok } from "node:assert/strict";
import * as z from "zod";
import { idOf, readSite } from "#test/integration/security/software-site.ts";
import { eventually } from "../eventually.ts";
import {
  create,
  ends,
  FIRST_REVISION,
  hot,
  type Lane,
  outputs,
  REPAIR_MS_MAX,
  remove,
  type StackRef,
  type Story,
  testResource,
} from "../lane.ts";

import { makeSite } from "./signed-urls.ts";

const NEXT_REVISION = "lane-2";
const LINKS = 30;
const NAMES = Array.from({ length: LINKS }, (_, at) => `link${at}`);
const LAST = "last";
const LOG_MS_MAX = 30_000;
const START_MS_MAX = 30_000;
const WAIT_SECONDS_MAX = 7_200;
/** Replacing the functions can end their workers, and the inline chain with them. */
const END_MS_MAX = REPAIR_MS_MAX + LINKS * 10_000;

/** A second for each link, so that the chain lasts as long as a deployment. */
const chain = (): object =>
  hot({
    ...Object.fromEntries(
      NAMES.map((name, at) => [
        name,
        testResource({ wait_secs: 1 }, at === 0 ? {} : { depends_on: [NAMES[at - 1]] }),
      ]),
    ),
    [LAST]: testResource({}, { depends_on: [NAMES[0]] }),
  });

const BuildInfo = z.object({
  api: z.object({ revision: z.string() }),
  engine: z.object({ revision: z.string() }),
});

const revisionOf = async ({ client }: Lane): Promise<string> =>
  (await client.request("GET", "/build_info", BuildInfo)).engine.revision;

const revisionsAtWork = async (
  { account }: Lane,
  stack: StackRef,
): Promise<ReadonlySet<unknown>> => {
  const lines = await account.logLines("CheckResource");
  return new Set(lines.filter(({ stackId }) => stackId === stack.id).map((line) => line.revision));
};

const WAITING = hot(
  {
    handle: { type: "OS::Heat::WaitConditionHandle" },
    condition: {
      type: "OS::Heat::WaitCondition",
      properties: { handle: { get_resource: "handle" }, timeout: WAIT_SECONDS_MAX },
    },
  },
  { outputs: { url: { value: { get_attr: ["handle", "endpoint"] } } } },
);

const handOut = async (lane: Lane) => {
  const { stack, site } = await makeSite(lane, "agent-of-before");
  const waiting = await create(lane, "handle-of-before", WAITING);
  const handleUrl = await eventually("the handle is there", START_MS_MAX, async () => {
    const { url } = await outputs(lane, waiting);
    return typeof url === "string" && url.includes("sig=") ? url : null;
  });
  lane.planted.push(new URL(handleUrl).searchParams.get("sig") ?? "");
  return { stack, site, waiting, handleUrl };
};

const statusOf = async (url: string, method: string, body: object): Promise<number> =>
  (await fetch(url, { method, body: JSON.stringify(body) })).status;

const isAnswered = async (
  lane: Lane,
  { stack, site, waiting, handleUrl }: Awaited<ReturnType<typeof handOut>>,
): Promise<void> => {
  const polled = await readSite(site.metadataUrl);
  deepEqual(
    [polled?.serverId, polled && idOf(polled.signalUrl)],
    [site.serverId, idOf(site.signalUrl)],
  );
  equal(await statusOf(site.signalUrl, "PUT", { result: "of before" }), 200);
  equal(await statusOf(handleUrl, "POST", { data: "of before" }), 200);
  for (const one of [stack, waiting]) {
    await ends(lane, one, "CREATE_COMPLETE", REPAIR_MS_MAX);
    await remove(lane, one, REPAIR_MS_MAX);
  }
};

export const upgrade: Story = {
  name: "an upgrade while a stack converges loses nothing and does nothing twice, both revisions work on it, and the token and the URLs of before it are answered",
  play: async (lane) => {
    equal(await revisionOf(lane), FIRST_REVISION);
    // The last resource waits for a signal, so work remains for the new revision.
    const resource_registry = { resources: { [LAST]: { hooks: "pre-create" } } };
    const stack = await create(lane, "upgraded", chain(), { environment: { resource_registry } });
    const outside = await handOut(lane);
    await lane.upgrade(NEXT_REVISION);
    equal(await revisionOf(lane), NEXT_REVISION);
    await isAnswered(lane, outside);
    await lane.client.request(
      "POST",
      `/stacks/${stack.stack_name}/${stack.id}/resources/${LAST}/signal`,
      z.unknown(),
      { unset_hook: "pre-create" },
    );
    await ends(lane, stack, "CREATE_COMPLETE", END_MS_MAX);
    // A line can appear in the log after the work that it reports.
    await eventually("the log shows both revisions at work", LOG_MS_MAX, async () => {
      const revisions = await revisionsAtWork(lane, stack);
      return revisions.has(FIRST_REVISION) && revisions.has(NEXT_REVISION) ? revisions : null;
    });
    const objects = await lane.account.objectsMade(stack.stack_name);
    deepEqual(
      objects.map(({ logicalName }) => logicalName).toSorted(),
      [...NAMES, LAST].toSorted(),
    );
    ok(
      objects.every(({ calls }) => calls === 1),
      "nothing was asked for twice",
    );
    await remove(lane, stack, END_MS_MAX);
  },
};
