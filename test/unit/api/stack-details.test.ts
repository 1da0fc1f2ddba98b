import { expect, it } from "vitest";
import { openOneAtATime, stackDetails } from "#lib/api/stack-details.ts";
import { at, createStack, listAt, openWorld, type World } from "./api-world.ts";

const LITERAL_CHARS = 400_000;

const large = {
  template: {
    heat_template_version: "2016-10-14",
    outputs: { text: { value: "x".repeat(LITERAL_CHARS) } },
    parameters: { text: { type: "string", default: "" } },
  },
  parameters: { text: "y".repeat(LITERAL_CHARS) },
};

const withStacks = async (count: number): Promise<World> => {
  const world = openWorld();
  for (let number = 0; number < count; number++) await createStack(world, `s${number}`, large);
  await world.settle();
  return world;
};

it("the details of stacks are refused when they are too long together, and come in pages", async () => {
  const world = await withStacks(25);
  const { status, body } = await world.send("GET", "/stacks/detail");
  expect(status).toBe(400);
  expect(at(body, "error", "type")).toBe("RequestLimitExceeded");
  expect(at(body, "error", "message")).toContain("limit and marker");
  const page = await world.send("GET", "/stacks/detail?limit=15");
  expect(page.status).toBe(200);
  expect(listAt(page.body, "stacks")).toHaveLength(15);
  const marker = String(at(listAt(page.body, "stacks").at(-1) ?? null, "id"));
  const rest = await world.send("GET", `/stacks/detail?limit=15&marker=${marker}`);
  expect(listAt(rest.body, "stacks")).toHaveLength(10);
});

it("the details of stacks let other requests go on between two stacks", async () => {
  const world = await withStacks(15);
  let [pauses, atOnce, atOnceMax] = [0, 0, 0];
  const pause = async (): Promise<void> => {
    pauses += 1;
    atOnce += 1;
    atOnceMax = Math.max(atOnceMax, atOnce);
    await Promise.resolve();
    atOnce -= 1;
  };
  const stacks = await world.ports.store.listStacks("demo");
  await stackDetails(
    { ports: { ...world.ports, turns: { pause } }, callersUrl: "", tenant: "demo" },
    stacks,
  );
  expect({ pauses, atOnceMax }).toEqual({ pauses: stacks.length * 2, atOnceMax: 1 });
});

it("the large answers of a project are made one after another, and no other project waits", async () => {
  const inTurn = openOneAtATime();
  const told: string[] = [];
  const gate = Promise.withResolvers<void>();
  const work =
    (name: string, until: Promise<void> = Promise.resolve()) =>
    async () => {
      told.push(`${name} begins`);
      await until;
      told.push(`${name} ends`);
      return name;
    };
  const failing = async () => Promise.reject(new Error("too long"));
  const first = inTurn("a", work("first", gate.promise));
  const second = expect(inTurn("a", failing)).rejects.toThrow("too long");
  const third = inTurn("a", work("third"));
  expect(await inTurn("b", work("other"))).toBe("other");
  expect(told).toEqual(["first begins", "other begins", "other ends"]);
  gate.resolve();
  expect(await Promise.all([first, third])).toEqual(["first", "third"]);
  await second;
  expect(told.slice(3)).toEqual(["first ends", "third begins", "third ends"]);
});
