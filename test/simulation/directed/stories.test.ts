/**
 * The four stories of docs/convergence.md, call by call. If one of these tests fails, fix that page
 * too.
 */
import { describe, it } from "vitest";
import { aPreparedStack, aStack, ask, deliverNode, drain, update } from "../world/drive.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import type { Worker } from "../world/workers.ts";
import type { World } from "../world/world.ts";
import { replaced, v } from "./specs.ts";

const follow = async (world: World, worker: Worker, calls: string[], until = ""): Promise<void> => {
  while (!worker.finished) {
    const [point] = worker.points;
    if (point === undefined || point.name === until) return;
    calls.push(point.name.replace(/^(store|queue|fakeProvider)\./, ""));
    await world.step(worker);
  }
};

const tell = async (world: World): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (;;) {
    const [pending] = world.deliverable();
    if (pending === undefined) return lines;
    const worker = await world.deliver(pending);
    const calls: string[] = [];
    await follow(world, worker, calls);
    const outcome = world.story.at(-1)?.split(" -> ").at(-1) ?? "";
    lines.push(`${worker.label}: ${calls.join(" ")} = ${outcome}`);
  }
};

const READ = "getStack getResource";

describe("the stories of docs/convergence.md", () => {
  it.each([
    [false, 5],
    [true, 2],
  ])("in one update (inline: %s): %i messages", async (inline, messages) => {
    const world = await aStack({ a: v("1"), b: v("1", { to: "a" }) }, { inline });
    await update(world, { a: v("2"), b: v("1", { to: "a" }) });
    const story = await tell(world);
    expectEqual("messages", story.length, messages);
    expectEqual(
      "prepare",
      story[0],
      "prepare 2: getStack listRows putGraph writeStack send deleteSyncPoints = sent",
    );
    if (inline) return;
    expectEqual("visits", story.slice(1), [
      `2aU: ${READ} writeResource update writeResource arrive arrive send = propagated`,
      `2bU: ${READ} getSyncPoint writeResource arrive arrive getStack send = propagated`,
      `2bC: ${READ} arrive send = propagated`,
      `2aC: ${READ} arrive writeStack = propagated`,
    ]);
  });

  it("in a replacement", async () => {
    const world = await aStack({ a: replaced("1"), b: v("1", { to: "a" }) });
    await update(world, { a: replaced("2"), b: v("1", { to: "a" }) });
    expectEqual("visits", (await tell(world)).slice(1), [
      `2aU: ${READ} writeResource writeResource send = replaced`,
      `2a'U: ${READ} writeResource create writeResource arrive arrive send = propagated`,
      `2bU: ${READ} getSyncPoint writeResource update writeResource arrive arrive getStack send = propagated`,
      `2bC: ${READ} arrive send = propagated`,
      `2aC: ${READ} getResource writeResource delete writeResource arrive writeStack = propagated`,
    ]);
  });

  it("in an overtaken update", async () => {
    const world = await aStack({ a: v("1") });
    await update(world, { a: v("2") });
    await drain(world, { visits: 1 });
    const holder = await deliverNode(world, "aU");
    await follow(world, holder, [], "fakeProvider.update");
    await ask(world, world.act("UPDATE", { a: v("3") }));
    expectEqual("deliveries", await tell(world), [
      "prepare 3: getStack listRows writeResource listRows putGraph writeStack send deleteSyncPoints = sent",
      `3aU: ${READ} writeResource send = blocked`,
    ]);
    const calls: string[] = [];
    await follow(world, holder, calls);
    expectEqual("first calls", calls.slice(0, 2), ["update", "writeResource"]);
    expectThat(calls.includes("send"), "the holder woke no visit");
    expectEqual("outcome", world.story.at(-1), "  2aU -> overtaken");
    expectEqual("next visit", (await tell(world)).slice(0, 1), [
      `3aU: ${READ} writeResource update writeResource arrive arrive getStack send = propagated`,
    ]);
    world.clock.advance(60_000);
    expectEqual("deliveries", await tell(world), [`3aU: ${READ} = stale`]);
  });

  it("in a crash", async () => {
    const world = await aPreparedStack({ a: v("1"), b: v("1", { to: "a" }) });
    const dying = await deliverNode(world, "aU");
    await follow(world, dying, [], "fakeProvider.create");
    await world.crash(dying, "after");
    expectEqual("deliveries", await tell(world), []);
    world.clock.advance(360_000);
    expectEqual(
      "next visit",
      (await tell(world))[0],
      `1aU: ${READ} writeResource create writeResource arrive send = propagated`,
    );
    const calls = world.provider.calls();
    const [first, again] = calls.map((call) => `${call.kind} ${call.token} ${call.physicalId}`);
    expectEqual("repeated call", again, first);
    expectEqual("effect of the repetition", calls[1]?.effect, false);
  });
});
