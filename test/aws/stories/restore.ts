import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import * as z from "zod";
import { stackPath } from "#client/client.ts";
import {
  idOf,
  readSite,
  SOFTWARE_TEMPLATE,
  type SoftwareSite,
} from "#test/integration/security/software-site.ts";
import { eventually } from "../eventually.ts";
import {
  create,
  ends,
  type Lane,
  outputs,
  REPAIR_MS_MAX,
  type Restored,
  remove,
  type Speaker,
  type StackRef,
  type Story,
  show,
  update,
} from "../lane.ts";

const START_MS_MAX = 30_000;
const UNKNOWN_STATUS = 404;

const agentUrl = async (speaker: Speaker, stack: StackRef): Promise<string | null> => {
  const text = JSON.stringify((await outputs(speaker, stack))["agent"] ?? null);
  return /"metadata_url":"([^"]+)"/.exec(text)?.[1] ?? null;
};

const Events = z.object({ events: z.array(z.object({ id: z.string() })) });

const eventIds = async ({ client }: Speaker, stack: StackRef): Promise<readonly string[]> =>
  (await client.request("GET", `${stackPath(stack)}/events`, Events)).events.map(({ id }) => id);

const statusOf = async (url: string, body: object): Promise<number> =>
  (await fetch(url, { method: "PUT", body: JSON.stringify(body) })).status;

const updated = async (
  lane: Lane,
  speaker: Speaker,
  { stack, metadataUrl, former }: { stack: StackRef; metadataUrl: string; former: SoftwareSite },
): Promise<SoftwareSite> => {
  const word = `planted-${crypto.randomUUID()}`;
  lane.planted.push(word);
  await update(speaker, stack, SOFTWARE_TEMPLATE, { parameters: { word } });
  const site = await eventually("the update is published", REPAIR_MS_MAX, async () => {
    const next = await readSite(metadataUrl);
    return next === null || idOf(next.signalUrl) === idOf(former.signalUrl) ? null : next;
  });
  lane.planted.push(new URL(site.signalUrl).searchParams.get("sig") ?? "");
  return site;
};

/** Changes on the first stage after the copy are unknown to the restored one. */
const countsForNothing = async (
  lane: Lane,
  restored: Restored,
  { stack, site, signalled }: { stack: StackRef; site: SoftwareSite; signalled: SoftwareSite },
): Promise<void> => {
  const { metadataUrl } = site;
  const lost = await updated(lane, lane, { stack, metadataUrl, former: site });
  const own = await updated(lane, restored, {
    stack,
    metadataUrl: restored.moved(metadataUrl),
    former: signalled,
  });
  notEqual(idOf(own.signalUrl), idOf(lost.signalUrl));
  equal(await statusOf(restored.moved(lost.signalUrl), { result: "lost" }), UNKNOWN_STATUS);
  equal((await show(restored, stack)).stack_status, "UPDATE_IN_PROGRESS");
  equal(await statusOf(restored.moved(own.signalUrl), { result: "own" }), 200);
  await ends(restored, stack, "UPDATE_COMPLETE", REPAIR_MS_MAX);
  equal(await statusOf(lost.signalUrl, {}), 200);
  await ends(lane, stack, "UPDATE_COMPLETE", REPAIR_MS_MAX);
};

export const restoring: Story = {
  name: "a fresh stage with the restored tables, bucket and secrets goes on: with a running traversal, old signed URLs and old tokens, and a result of the lost time counts for nothing",
  isLong: true,
  play: async (lane) => {
    const word = `planted-${crypto.randomUUID()}`;
    lane.planted.push(word);
    const stack = await create(lane, "restored", SOFTWARE_TEMPLATE, { parameters: { word } });
    const metadataUrl = await eventually("the server is there", START_MS_MAX, () =>
      agentUrl(lane, stack),
    );
    const site = await eventually("the deployment is published", START_MS_MAX, () =>
      readSite(metadataUrl),
    );
    for (const url of [metadataUrl, site.signalUrl])
      lane.planted.push(new URL(url).searchParams.get("sig") ?? "");
    const before = await eventually("the events are there", START_MS_MAX, async () => {
      const ids = await eventIds(lane, stack);
      return ids.length > 0 ? ids : null;
    });

    const restored = await lane.restore();
    equal((await show(restored, stack)).stack_status, "CREATE_IN_PROGRESS");
    const after = await eventIds(restored, stack);
    deepEqual(
      before.filter((id) => !after.includes(id)),
      [],
      "the events are restored",
    );
    const found = await readSite(restored.moved(metadataUrl));
    ok(found?.serverId === site.serverId, "the agent's old URL serves the same server");
    equal(await statusOf(restored.moved(site.signalUrl), { result: "restored" }), 200);
    await ends(restored, stack, "CREATE_COMPLETE", REPAIR_MS_MAX);
    equal((await show(lane, stack)).stack_status, "CREATE_IN_PROGRESS");
    equal(await statusOf(site.signalUrl, {}), 200);
    await ends(lane, stack, "CREATE_COMPLETE");
    await countsForNothing(lane, restored, { stack, site, signalled: found });
    await remove(restored, stack);
    await restored.remove();
    await remove(lane, stack);
  },
};
