/** Talks to a host in step mode. Its routes are outside of the projects. */
import * as z from "zod";
import { type Client, stackPath } from "#client/client.ts";
import { CreatedAnswer } from "#client/wire.ts";
import { readStack, type StackName } from "./stack-data.ts";
import { readStacks } from "./stack-list.ts";
import { type Fate, Rows, type Scene, Stepped, Visits } from "./step-shape.ts";
import type { Act, Fault, Story } from "./stories.ts";
import { transport } from "./transport.ts";

const ask = async <Shape extends z.ZodType>(
  method: "GET" | "POST",
  route: string,
  shape: Shape,
  body?: unknown,
): Promise<z.infer<Shape>> => {
  const { endpoint, fetch } = transport();
  const response = await fetch(`${endpoint}/_dev/${route}`, {
    method,
    credentials: "omit",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error("This host is not in step mode: start it with --step.");
  return shape.parse(response.status === 204 ? null : await response.json());
};

export const step = (count: number, fate: Fate = "handled"): Promise<Stepped> =>
  ask("POST", "step", Stepped, { count, fate });

export const addFault = async (stackName: string, fault: Fault): Promise<void> => {
  await ask("POST", "faults", z.null(), { stack_name: stackName, times: 1, ...fault });
};

export const drain = (): Promise<Stepped> => ask("POST", "drain", Stepped, {});

export const readScene = async (client: Client, stack: StackName): Promise<Scene> => {
  const name = encodeURIComponent(stack.stack_name);
  const [shown, resources, visits, rows] = await Promise.all([
    readStack(client, stack),
    client.resources(stack, { withRows: true }),
    ask("GET", "visits", Visits),
    ask("GET", `rows?stack_name=${name}`, Rows),
  ]);
  return { stack: shown, resources, waiting: visits.waiting, rows: rows.rows };
};

const templateOf = ({ resources }: Pick<Act, "resources">) => ({
  heat_template_version: "2018-08-31",
  resources,
});

const arm = async ({ fault }: Act, stackName: string): Promise<void> => {
  if (fault !== null) await addFault(stackName, fault);
};

/** The update overtakes one that runs. */
export const play = async (client: Client, stack: StackName, act: Act): Promise<void> => {
  await arm(act, stack.stack_name);
  const body = { template: templateOf(act) };
  await client.request("PUT", stackPath(stack), z.unknown(), body);
};

const freeName = async (client: Client, { id }: Story): Promise<string> => {
  const names = new Set((await readStacks(client, null, "all")).map((one) => one.stack_name));
  let number = 1;
  while (names.has(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
};

/** Makes the story's stack and requests its first act. No visit of that act is delivered yet. */
export const begin = async (client: Client, story: Story): Promise<StackName> => {
  const [first] = story.acts;
  const name = await freeName(client, story);
  const create = async (resources: Act["resources"]): Promise<StackName> => {
    const body = { stack_name: name, template: templateOf({ resources }) };
    const made = await client.request("POST", "/stacks", CreatedAnswer, body);
    return { stack_name: name, id: made.stack.id };
  };
  if (story.before === null) {
    await arm(first, name);
    const stack = await create(first.resources);
    await step(0);
    return stack;
  }
  const stack = await create(story.before);
  await drain();
  await play(client, stack, first);
  await step(0);
  return stack;
};
