import { deepEqual, equal } from "node:assert/strict";
import { faultsOf, flood, untilNextWindow } from "#test/integration/host/flood.ts";
import { LIMITED_PROJECT, LIMITED_RATE, PROJECT, remove, type Story } from "../lane.ts";
import { makeSite } from "./signed-urls.ts";

/** The window of the limit is ten seconds. */
const ALLOWED = 10 * LIMITED_RATE;
const POLLS = 20;

const refusalsOf = async (
  requests: number,
  send: () => Promise<Response>,
): Promise<readonly number[]> => {
  const refusals: number[] = [];
  for (let sent = 0; sent < requests; sent += 1) {
    const answer = await send();
    await answer.text();
    if (answer.status !== 200) refusals.push(answer.status);
  }
  return refusals;
};

export const requestLimit: Story = {
  name: "a project over its limit gets 429 for exactly the rest, and no other project, poll or signal does",
  play: async (lane) => {
    const { client, token } = await lane.openProject(LIMITED_PROJECT);
    const own = { ...lane, client };
    const { stack, site } = await makeSite(own, "limited");
    const list = (project: string, credential: string) => () =>
      fetch(`${lane.url}/v1/${project}/stacks`, { headers: { "X-Auth-Token": credential } });

    await untilNextWindow();
    const answers = await flood(list(LIMITED_PROJECT, token), ALLOWED);
    deepEqual(faultsOf(answers, ALLOWED), []);
    const { served, refused, windows } = answers;
    lane.say(`${served} requests were served in ${windows} windows, and ${refused} refused`);

    const others = await Promise.all([
      refusalsOf(POLLS, list(PROJECT, lane.token)),
      refusalsOf(POLLS, () => fetch(site.metadataUrl)),
      refusalsOf(1, () => fetch(site.signalUrl, { method: "PUT", body: "{}" })),
    ]);
    deepEqual(others, [[], [], []]);
    await untilNextWindow();
    equal((await list(LIMITED_PROJECT, token)()).status, 200);
    await remove(own, stack);
  },
};
