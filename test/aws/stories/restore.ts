/** A stage is lost, and a fresh one goes on with its tables, its bucket and its secrets. */
import { deepEqual, equal, ok } from "node:assert/strict";
import * as z from "zod";
import { stackPath } from "#client/client.ts";
import { readSite, SOFTWARE_TEMPLATE } from "#test/integration/security/software-site.ts";
import { eventually } from "../eventually.ts";
import {
  create,
  ends,
  outputs,
  REPAIR_MS_MAX,
  remove,
  type Speaker,
  type StackRef,
  type Story,
  show,
} from "../lane.ts";

const START_MS_MAX = 30_000;

const agentUrl = async (speaker: Speaker, stack: StackRef): Promise<string | null> => {
  const text = JSON.stringify((await outputs(speaker, stack))["agent"] ?? null);
  return /"metadata_url":"([^"]+)"/.exec(text)?.[1] ?? null;
};

const Events = z.object({ events: z.array(z.object({ id: z.string() })) });

const eventIds = async ({ client }: Speaker, stack: StackRef): Promise<readonly string[]> =>
  (await client.request("GET", `${stackPath(stack)}/events`, Events)).events.map(({ id }) => id);

const statusOf = async (url: string, body: object): Promise<number> =>
  (await fetch(url, { method: "PUT", body: JSON.stringify(body) })).status;

export const restoring: Story = {
  name: "a fresh stage with the restored tables, bucket and secrets goes on: with a running traversal, old signed URLs and old tokens",
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
    await remove(restored, stack);
    await restored.remove();

    equal(await statusOf(site.signalUrl, {}), 200);
    await ends(lane, stack, "CREATE_COMPLETE");
    await remove(lane, stack);
  },
};
