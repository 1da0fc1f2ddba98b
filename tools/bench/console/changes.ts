import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "#lib/json.ts";
import { send } from "#test/integration/host/host-client.ts";
import { createStack, STACKS, testResource, untilStatus } from "#test/web/hosts.ts";

const ROUND_MS = 3_000;
const TIERS = 5;
const TIER_SERVERS = 4;
const LENGTHS = [20, 24] as const;

export interface Changes {
  readonly graph: string;
  stop(): Promise<number>;
}

const tiers = (round: number): JsonObject => {
  const names = (tier: number) =>
    Array.from({ length: TIER_SERVERS }, (_, at) => `server-${tier}-${at}`);
  const servers = Array.from({ length: TIERS }, (_, tier) =>
    names(tier).map((name) => {
      const below = tier === 0 ? ["password"] : names(tier - 1);
      return [name, testResource({ value: `round ${round}` }, ...below)] as const;
    }),
  );
  return Object.fromEntries<JsonObject>([
    [
      "password",
      { type: "OS::Heat::RandomString", properties: { length: LENGTHS[round % 2] ?? 20 } },
    ],
    ["group", scalingGroup],
    ["up", policy(1)],
    ["down", policy(-1)],
    ...servers.flat(),
  ]);
};

const scalingGroup: JsonObject = {
  type: "OS::Heat::AutoScalingGroup",
  properties: { min_size: 1, max_size: 4, cooldown: 0, resource: testResource() },
};

const policy = (adjustment: number): JsonObject => ({
  type: "OS::Heat::ScalingPolicy",
  properties: {
    auto_scaling_group_id: { get_resource: "group" },
    adjustment_type: "change_in_capacity",
    scaling_adjustment: adjustment,
    cooldown: 0,
  },
});

const ask = async (url: string, method: string, path: string, body?: JsonObject): Promise<void> => {
  const { status, body: answer } = await send(url, method, path, body);
  if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
};

const playRound = async (url: string, id: string, round: number): Promise<void> => {
  const template = { heat_template_version: "2018-08-31", resources: tiers(round) };
  await ask(url, "PUT", `${STACKS}/busy/${id}`, { template });
  await untilStatus(url, "busy", "UPDATE_COMPLETE");
  const signal = `${STACKS}/busy/${id}/resources/${round % 2 === 0 ? "up" : "down"}/signal`;
  await ask(url, "POST", signal, {});
  const name = `passing-${round}`;
  const passing = await createStack(url, name, { thing: testResource() });
  await untilStatus(url, name, "CREATE_COMPLETE");
  await ask(url, "DELETE", `${STACKS}/${name}/${passing.id}`);
};

export const startChanges = async (url: string): Promise<Changes> => {
  const busy = await createStack(url, "busy", tiers(0));
  await untilStatus(url, "busy", "CREATE_COMPLETE");
  let isOver = false;
  const playing = (async () => {
    let round = 0;
    while (!isOver) {
      round += 1;
      await playRound(url, busy.id, round);
      await pause(ROUND_MS);
    }
    return round;
  })();
  // `stop` reports the error.
  playing.catch(() => {});
  return {
    graph: busy.hash("graph"),
    stop: () => {
      isOver = true;
      return playing;
    },
  };
};
