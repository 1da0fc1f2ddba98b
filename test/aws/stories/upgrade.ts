/** The app is deployed again while a stack converges. */
import { deepEqual, equal, ok } from "node:assert/strict";
import * as z from "zod";
import { eventually } from "../eventually.ts";
import {
  create,
  ends,
  FIRST_REVISION,
  hot,
  type Lane,
  REPAIR_MS_MAX,
  remove,
  type StackRef,
  type Story,
  testResource,
} from "../lane.ts";

const NEXT_REVISION = "lane-2";
const LINKS = 30;
const NAMES = Array.from({ length: LINKS }, (_, at) => `link${at}`);
const LAST = "last";
const LOG_MS_MAX = 30_000;
/** Replacing the functions during visits may end their workers, and the inline chain too. */
const END_MS_MAX = REPAIR_MS_MAX + LINKS * 10_000;

/**
 * A second for each link, so that the chain lasts as long as a deployment, and one resource that
 * waits for it.
 */
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

export const upgrade: Story = {
  name: "an upgrade while a stack converges loses nothing and does nothing twice, and both revisions work on it",
  play: async (lane) => {
    equal(await revisionOf(lane), FIRST_REVISION);
    // The last resource waits for our signal, so the new revision surely has work.
    const resource_registry = { resources: { [LAST]: { hooks: "pre-create" } } };
    const stack = await create(lane, "upgraded", chain(), { environment: { resource_registry } });
    await lane.upgrade(NEXT_REVISION);
    equal(await revisionOf(lane), NEXT_REVISION);
    await lane.client.request(
      "POST",
      `/stacks/${stack.stack_name}/${stack.id}/resources/${LAST}/signal`,
      z.unknown(),
      { unset_hook: "pre-create" },
    );
    await ends(lane, stack, "CREATE_COMPLETE", END_MS_MAX);
    // The log comes later than the work that it tells.
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
