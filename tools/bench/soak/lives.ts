import { z } from "zod";
import { type Client, stackPath } from "#client/client.ts";
import { StackAnswer } from "#client/wire.ts";
import { openLatencies } from "../servers/latency.ts";
import { createStack, ends, type StackRef } from "../servers/stacks.ts";

/** Half a kilobyte, like a small script or a policy. */
const VALUE = "x".repeat(512);
const TEMPLATE = {
  heat_template_version: "2018-08-31",
  resources: {
    one: { type: "OS::Heat::TestResource", properties: { value: VALUE } },
    two: { type: "OS::Heat::RandomString", depends_on: "one" },
  },
  outputs: { secret: { value: { get_attr: ["two", "value"] } } },
};

export interface Lives {
  readonly writes: ReturnType<typeof openLatencies>;
  readonly ends: ReturnType<typeof openLatencies>;
}

const timed = async <T>(into: ReturnType<typeof openLatencies>, work: Promise<T>): Promise<T> => {
  const startedAt = performance.now();
  const result = await work;
  into.add(performance.now() - startedAt);
  return result;
};

const create = async (client: Client, name: string, lives: Lives): Promise<StackRef> => {
  const stack = await timed(lives.writes, createStack(client, name, TEMPLATE));
  await timed(lives.ends, ends(client, stack, "CREATE_COMPLETE"));
  return stack;
};

const remove = async (client: Client, stack: StackRef, lives: Lives): Promise<void> => {
  await timed(lives.writes, client.request("DELETE", stackPath(stack), z.unknown()));
  await timed(lives.ends, ends(client, stack, "DELETE_COMPLETE"));
};

const repeat = async (
  count: number,
  atOnce: number,
  work: (at: number) => Promise<unknown>,
): Promise<void> => {
  let next = 0;
  const inTurn = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) await work(at);
  };
  await Promise.all(Array.from({ length: atOnce }, inTurn));
};

export const playLives = async (
  client: Client,
  { living, ended, atOnce }: { living: number; ended: number; atOnce: number },
): Promise<Lives> => {
  const lives = { writes: openLatencies(), ends: openLatencies() };
  await repeat(living, atOnce, (at) => create(client, `living-${at}`, lives));
  await repeat(ended, atOnce, async (at) =>
    remove(client, await create(client, `ended-${at}`, lives), lives),
  );
  return lives;
};

export const missing = async (client: Client, living: number): Promise<number> => {
  const lost: number[] = [];
  await repeat(living, 8, async (at) => {
    const { stack } = await client.request("GET", `/stacks/living-${at}`, StackAnswer);
    if (stack.stack_status !== "CREATE_COMPLETE") lost.push(at);
  });
  return lost.length;
};
