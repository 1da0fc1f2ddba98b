import { equal, match } from "node:assert/strict";
import { z } from "zod";
import { create, ends, hot, PROJECT, remove, type Story, testResource } from "../lane.ts";

const EVENTS = 10_000;

const Events = z.object({ events: z.array(z.object({ resource_name: z.string() })) });

export const largeAnswers: Story = {
  name: "an answer too large for Lambda goes compressed to a client that accepts gzip; any other is told what to ask for",
  needs: ["bytes"],
  play: async (lane) => {
    const stack = await create(lane, "eventful", hot({ a: testResource({}) }));
    await ends(lane, stack, "CREATE_COMPLETE");
    const events = Array.from({ length: EVENTS }, (_, at) => ({
      id: crypto.randomUUID(),
      tenant: PROJECT,
      stackId: stack.id,
      time: Date.now() + at,
      resourceName: `resource-${at}`,
      resourceType: "OS::Heat::None",
      physicalResourceId: crypto.randomUUID(),
      reason: "state changed",
      resourceAction: "CREATE",
      resourceStatus: "COMPLETE" as const,
      change: { recordId: `row-${at}`, version: 1, traversalNumber: 1 },
    }));
    await lane.account.adapter.store.putEvents(stack.id, events);
    const path = `/v1/${PROJECT}/stacks/${stack.stack_name}/${stack.id}/events`;
    const ask = (coding: string): Promise<Response> =>
      fetch(`${lane.url}${path}`, {
        headers: { "X-Auth-Token": lane.token, "Accept-Encoding": coding },
      });
    const all = await ask("gzip");
    equal(all.status, 200, await all.clone().text());
    equal(all.headers.get("Content-Encoding"), "gzip");
    const added = Events.parse(await all.json()).events.filter(({ resource_name }) =>
      resource_name.startsWith("resource-"),
    );
    equal(added.length, EVENTS);
    const plain = await ask("identity");
    equal(plain.status, 400);
    match(await plain.text(), /Accept gzip, or ask for less/);
    await remove(lane, stack);
  },
};
