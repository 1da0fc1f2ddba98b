import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { StackOwner } from "#lib/model/stack.ts";
import type { StackClause } from "#lib/ports/conditions.ts";
import {
  type NamedStack,
  STACKS_READ_MAX,
  type StackKey,
  type Store,
  type UnsettledPage,
} from "#lib/ports/store.ts";
import { eachTest, type Open } from "./opened.ts";
import { aGraph, aStack, NOW } from "./records.ts";

const clauseCases: readonly {
  readonly says: string;
  readonly when: StackClause;
  readonly holds: boolean;
}[] = [
  { says: "traversalIs", when: { clause: "traversalIs", traversalId: "traversal-1" }, holds: true },
  {
    says: "traversalIs",
    when: { clause: "traversalIs", traversalId: "traversal-0" },
    holds: false,
  },
  { says: "statusVersionIs", when: { clause: "statusVersionIs", statusVersion: 1 }, holds: true },
  { says: "statusVersionIs", when: { clause: "statusVersionIs", statusVersion: 2 }, holds: false },
];

const writing = (open: Open<Store>): void => {
  const store = eachTest(open);

  for (const { says, when, holds } of clauseCases)
    it(`${holds ? "writes if" : "refuses unless"} ${says} holds`, async () => {
      const stack = aStack();
      await store().createStack(stack);
      const change = { status: "FAILED" as const, statusReason: "no" };
      const after = { ...stack, ...change, statusVersion: 2 };
      expect(await store().writeStack(stack.tenant, stack.id, [when], change)).toEqual(
        holds ? { written: true, stack: after } : { written: false, stack },
      );
      expect(await store().getStack(stack.tenant, stack.id)).toEqual(holds ? after : stack);
    });

  it("keeps that a delete gives up unreachable servers, until another one takes it back", async () => {
    const stack = aStack({
      action: "DELETE",
      abandonsUnreachable: true,
      visitsAll: true,
      converges: true,
    });
    await store().createStack(stack);
    const read = () => store().getStack(stack.tenant, stack.id);
    expect((await read())?.abandonsUnreachable).toBe(true);
    expect((await read())?.visitsAll).toBe(true);
    expect((await read())?.converges).toBe(true);
    for (const abandonsUnreachable of [false, true]) {
      await store().writeStack(stack.tenant, stack.id, [], { abandonsUnreachable });
      expect((await read())?.abandonsUnreachable).toBe(abandonsUnreachable);
    }
  });

  it("inProgress holds only for a stack in progress", async () => {
    const [going, ended] = [aStack(), aStack({ status: "COMPLETE" })];
    await store().createStack(going);
    await store().createStack(ended);
    const when = [{ clause: "inProgress" as const }];
    const change = { statusReason: "seen" };
    expect((await store().writeStack(going.tenant, going.id, when, change)).written).toBe(true);
    expect(await store().writeStack(ended.tenant, ended.id, when, change)).toEqual({
      written: false,
      stack: ended,
    });
  });

  it("refuses a write when one of several clauses fails", async () => {
    const stack = aStack();
    await store().createStack(stack);
    const when: readonly StackClause[] = [
      { clause: "inProgress" },
      { clause: "traversalIs", traversalId: "other" },
    ];
    expect((await store().writeStack(stack.tenant, stack.id, when, {})).written).toBe(false);
  });

  it("keeps the list of snapshots, and an empty list after the last one", async () => {
    const stack = aStack();
    await store().createStack(stack);
    const snapshots = [
      { id: "traversal-1", name: "first", createdAt: NOW },
      { id: "traversal-2", name: null, createdAt: NOW + 1 },
    ];
    const action = "SNAPSHOT" as const;
    await store().writeStack(stack.tenant, stack.id, [], { action, snapshots });
    const taken = { ...stack, action, snapshots, statusVersion: 2 };
    expect(await store().getStack(stack.tenant, stack.id)).toEqual(taken);
    await store().writeStack(stack.tenant, stack.id, [], { description: "other" });
    await store().writeStack(stack.tenant, stack.id, [], { snapshots: [] });
    expect(await store().getStack(stack.tenant, stack.id)).toMatchObject({ snapshots: [] });
  });

  it.each(["ADOPT", "RESTORE"] as const)("keeps a stack and a graph in %s", async (action) => {
    const stack = aStack({ action });
    await store().createStack(stack);
    expect(await store().getStack(stack.tenant, stack.id)).toEqual(stack);
    const graph = aGraph({ action });
    await store().putGraph(graph, NOW);
    expect(await store().getGraph(graph.stackId, graph.traversalId)).toEqual(graph);
  });

  it("refuses a write to an absent stack or to another tenant's", async () => {
    const stack = aStack();
    await store().createStack(stack);
    const absent = { written: false, stack: null };
    expect(await store().writeStack(stack.tenant, randomUUID(), [], {})).toEqual(absent);
    expect(await store().writeStack("stranger", stack.id, [], {})).toEqual(absent);
  });

  it("lets exactly one of two racing writers win", async () => {
    const stack = aStack();
    await store().createStack(stack);
    const when = [{ clause: "statusVersionIs" as const, statusVersion: 1 }];
    const writes = await Promise.all(
      ["one", "two"].map((traversalId) =>
        store().writeStack(stack.tenant, stack.id, when, { traversalId }),
      ),
    );
    expect(writes.filter((write) => write.written)).toHaveLength(1);
    expect((await store().getStack(stack.tenant, stack.id))?.statusVersion).toBe(2);
  });
};

const reading = (open: Open<Store>): void => {
  const store = eachTest(open);

  it("creates a stack once and does not replace it", async () => {
    const stack = aStack();
    expect(await store().createStack(stack)).toBe("created");
    expect(await store().createStack({ ...stack, description: "again" })).toBe("exists");
    expect(await store().getStack(stack.tenant, stack.id)).toEqual(stack);
  });

  it("keeps the owner of a nested stack, and replaces it by a newer one", async () => {
    const owner: StackOwner = {
      stackId: randomUUID(),
      resourceId: randomUUID(),
      resourceName: "below",
      generation: 1,
      childTraversalId: randomUUID(),
      rootId: randomUUID(),
      depth: 1,
    };
    const stack = aStack({ owner });
    await store().createStack(stack);
    expect((await store().getStack(stack.tenant, stack.id))?.owner).toEqual(owner);
    const newer = { ...owner, generation: 2, childTraversalId: randomUUID() };
    await store().writeStack(stack.tenant, stack.id, [], { owner: newer });
    expect((await store().getStack(stack.tenant, stack.id))?.owner).toEqual(newer);
    for (const step of ["second", "closed"] as const) {
      await store().writeStack(stack.tenant, stack.id, [], { owner: { ...newer, step } });
      expect((await store().getStack(stack.tenant, stack.id))?.owner).toEqual({ ...newer, step });
    }
  });

  it("keeps when the stack last reached its target, and what it had with it", async () => {
    const stack = aStack();
    await store().createStack(stack);
    const read = () => store().getStack(stack.tenant, stack.id);
    const none = { convergedAt: null, lastGoodTags: null, lastGoodDescription: null };
    expect(await read()).toMatchObject(none);
    for (const lastGoodTags of [["blue", "first"], []]) {
      const reached = { convergedAt: NOW, lastGoodTags, lastGoodDescription: "" };
      await store().writeStack(stack.tenant, stack.id, [], reached);
      expect(await read()).toMatchObject(reached);
    }
    await store().writeStack(stack.tenant, stack.id, [], none);
    expect(await read()).toMatchObject(none);
  });

  it("keeps who has asked for its last operation, or that nobody has", async () => {
    const stack = aStack({ actor: "token:0123456789ab" });
    await store().createStack(stack);
    const read = async () => (await store().getStack(stack.tenant, stack.id))?.actor;
    expect(await read()).toBe("token:0123456789ab");
    await store().writeStack(stack.tenant, stack.id, [], { actor: null });
    expect(await read()).toBeNull();
  });

  it("does not show a stack to another tenant", async () => {
    const stack = aStack();
    await store().createStack(stack);
    expect(await store().getStack("stranger", stack.id)).toBeNull();
    expect(await store().listStacks(`${stack.tenant}x`)).toEqual([]);
  });

  it("lists a tenant's stacks newest first, including deleted ones", async () => {
    const first = aStack();
    const second = aStack({ tenant: first.tenant, createdAt: NOW + 2, deletedAt: NOW + 9 });
    const third = aStack({ tenant: first.tenant, createdAt: NOW + 1 });
    for (const stack of [first, second, third]) await store().createStack(stack);
    await store().createStack(aStack());
    const ids = (await store().listStacks(first.tenant)).map(({ id }) => id);
    expect(ids).toEqual([second.id, third.id, first.id]);
  });

  it("reads the stacks that exist among many ids, of the given tenant only", async () => {
    const first = aStack();
    const { tenant } = first;
    const others = Array.from({ length: STACKS_READ_MAX - 2 }, () => aStack({ tenant }));
    const foreign = aStack();
    for (const stack of [first, ...others.slice(0, 3), foreign]) await store().createStack(stack);
    const ids = [first, ...others, foreign].map(({ id }) => id);
    const read = await store().getStacks(tenant, ids);
    expect(new Set(read)).toEqual(new Set([first, ...others.slice(0, 3)]));
    expect(await store().getStacks(tenant, [])).toEqual([]);
  });

  it("lists a tenant's stacks by id, a part at a time", async () => {
    const first = aStack({ deletedAt: NOW });
    const { tenant } = first;
    const stacks = [first, aStack({ tenant }), aStack({ tenant })];
    for (const stack of stacks) await store().createStack(stack);
    await store().createStack(aStack());
    await store().putStackName(tenant, "web", first);
    const ordered = stacks.toSorted((left, right) => (left.id < right.id ? -1 : 1));
    const part = await store().listStacksById(tenant, null, 2);
    expect(part).toEqual(ordered.slice(0, 2));
    const marker = part[1]?.id ?? "";
    expect(await store().listStacksById(tenant, marker, 2)).toEqual(ordered.slice(2));
    expect(await store().listStacksById(tenant, ordered[2]?.id ?? "", 2)).toEqual([]);
  });

  it("keeps the expiry of a deleted stack, and can set an earlier one", async () => {
    const stack = aStack();
    await store().createStack(stack);
    const expiresAt = NOW + 5_000;
    await store().writeStack(stack.tenant, stack.id, [], { settled: true, expiresAt });
    expect((await store().getStack(stack.tenant, stack.id))?.expiresAt).toBe(expiresAt);
    await store().writeStack(stack.tenant, stack.id, [], { expiresAt: NOW + 1 });
    expect((await store().getStack(stack.tenant, stack.id))?.expiresAt).toBe(NOW + 1);
  });

  it("lists the unsettled stacks of every tenant, until they are settled", async () => {
    const [one, other, atRest] = [aStack(), aStack(), aStack({ settled: true })];
    for (const stack of [one, other, atRest]) await store().createStack(stack);
    const mine = async () =>
      (await unsettledIds(store(), ALL_UNSETTLED)).filter((id) =>
        [one.id, other.id, atRest.id].includes(id),
      );
    expect((await mine()).toSorted()).toEqual([one.id, other.id].toSorted());
    await store().writeStack(one.tenant, one.id, [], { settled: true });
    await store().writeStack(atRest.tenant, atRest.id, [], { settled: false });
    expect((await mine()).toSorted()).toEqual([other.id, atRest.id].toSorted());
  });
};

const ALL_UNSETTLED = 1_000;

const pageOf = (store: Store, after: StackKey | null, limit: number) =>
  store.listUnsettledStacks(after, limit);

const unsettledIds = async (store: Store, limit: number): Promise<readonly string[]> => {
  const found: string[] = [];
  let after: StackKey | null = null;
  do {
    const page: UnsettledPage = await pageOf(store, after, limit);
    expect(page.stacks.length).toBeLessThanOrEqual(limit);
    found.push(...page.stacks.map(({ id }) => id));
    after = page.next;
  } while (after !== null);
  return found;
};

const unsettledPages = (open: Open<Store>): void => {
  const store = eachTest(open);

  it("shows each unsettled stack once, on pages of any size", async () => {
    const stacks = Array.from({ length: 7 }, () => aStack());
    for (const stack of stacks) await store().createStack(stack);
    await store().createStack(aStack({ settled: true }));
    const all = await unsettledIds(store(), ALL_UNSETTLED);
    for (const limit of [1, 3, 7]) expect(await unsettledIds(store(), limit)).toEqual(all);
    expect(all).toEqual([...new Set(all)]);
    expect(all).toEqual(expect.arrayContaining(stacks.map(({ id }) => id)));
  });

  it("goes on behind a stack that has settled since", async () => {
    for (let count = 0; count < 3; count++) await store().createStack(aStack());
    const all = await unsettledIds(store(), ALL_UNSETTLED);
    const { next } = await pageOf(store(), null, 1);
    if (next === null) throw new Error("the first page is the last one");
    await store().writeStack(next.tenant, next.id, [], { settled: true });
    const rest = (await pageOf(store(), next, ALL_UNSETTLED)).stacks.map(({ id }) => id);
    expect(rest).toEqual(all.slice(1));
  });

  it("remembers the sweeper's cursor until it is taken away, apart from its last run", async () => {
    expect(await store().sweepCursor()).toBeNull();
    const cursor = { tenant: randomUUID(), id: randomUUID() };
    await store().putSweepCursor(cursor);
    expect(await store().sweepCursor()).toEqual(cursor);
    const sweptAt = await store().lastSweepAt();
    await store().putSweepCursor(null);
    expect(await store().sweepCursor()).toBeNull();
    expect(await store().lastSweepAt()).toBe(sweptAt);
  });

  it("keeps when a traversal's first messages were sent", async () => {
    const stack = aStack({ sentAt: null });
    await store().createStack(stack);
    expect(await store().getStack(stack.tenant, stack.id)).toEqual(stack);
    await store().writeStack(stack.tenant, stack.id, [], { sentAt: NOW + 7 });
    expect((await store().getStack(stack.tenant, stack.id))?.sentAt).toBe(NOW + 7);
  });
};

const named = (id: string): NamedStack => ({ id, createdAt: NOW });

const namedIds = async (store: Store, tenant: string): Promise<readonly string[]> =>
  (await store.listNamedStacks(tenant)).map(({ id }) => id).toSorted();

const names = (open: Open<Store>): void => {
  const store = eachTest(open);

  it("gives a name to the first stack, and returns that stack's id to others", async () => {
    const tenant = randomUUID();
    expect(await store().getStackName(tenant, "web")).toBeNull();
    expect(await store().putStackName(tenant, "web", named("stack-1"))).toBe("stack-1");
    expect(await store().putStackName(tenant, "web", named("stack-2"))).toBe("stack-1");
    expect(await store().getStackName(tenant, "web")).toBe("stack-1");
    expect(await store().putStackName(randomUUID(), "web", named("stack-3"))).toBe("stack-3");
  });

  it("takes a name over only from the stack that it stands for", async () => {
    const tenant = randomUUID();
    expect(await store().takeOverStackName(tenant, "web", "stack-1", named("stack-2"))).toBe(false);
    await store().putStackName(tenant, "web", named("stack-1"));
    expect(await store().takeOverStackName(tenant, "web", "stack-0", named("stack-2"))).toBe(false);
    expect(await store().getStackName(tenant, "web")).toBe("stack-1");
    expect(await store().takeOverStackName(tenant, "web", "stack-1", named("stack-2"))).toBe(true);
    expect(await store().getStackName(tenant, "web")).toBe("stack-2");
  });

  it("lists the ids that a tenant's names stand for", async () => {
    const tenant = randomUUID();
    expect(await store().listNamedStacks(tenant)).toEqual([]);
    await store().putStackName(tenant, "web", named("stack-1"));
    await store().putStackName(tenant, "db", named("stack-2"));
    await store().putStackName(randomUUID(), "web", named("stack-3"));
    expect(await namedIds(store(), tenant)).toEqual(["stack-1", "stack-2"]);
    await store().takeOverStackName(tenant, "web", "stack-1", named("stack-4"));
    expect(await namedIds(store(), tenant)).toEqual(["stack-2", "stack-4"]);
  });

  it("tells the age of a named stack without reading it", async () => {
    const stack = aStack({ createdAt: NOW + 5 });
    const younger = aStack({ tenant: stack.tenant, createdAt: NOW + 9 });
    for (const one of [stack, younger]) await store().createStack(one);
    await store().putStackName(stack.tenant, "web", stack);
    const ages = async () =>
      (await store().listNamedStacks(stack.tenant)).map(({ id, createdAt }) => [id, createdAt]);
    expect(await ages()).toEqual([[stack.id, NOW + 5]]);
    await store().takeOverStackName(stack.tenant, "web", stack.id, younger);
    expect(await ages()).toEqual([[younger.id, NOW + 9]]);
  });

  it("deletes a name only if it stands for the given stack", async () => {
    const tenant = randomUUID();
    await store().deleteStackName(tenant, "web", "stack-1");
    await store().putStackName(tenant, "web", named("stack-1"));
    await store().deleteStackName(tenant, "web", "stack-0");
    expect(await store().getStackName(tenant, "web")).toBe("stack-1");
    await store().deleteStackName(tenant, "web", "stack-1");
    expect(await store().getStackName(tenant, "web")).toBeNull();
    expect(await store().putStackName(tenant, "web", named("stack-2"))).toBe("stack-2");
  });
};

const heartbeat = (open: Open<Store>): void => {
  const store = eachTest(open);

  it("remembers when the sweeper's last run ended, in a record that no tenant sees", async () => {
    expect(await store().lastSweepAt()).toBeNull();
    await store().recordSweep(NOW);
    expect(await store().lastSweepAt()).toBe(NOW);
    await store().recordSweep(NOW + 60_000);
    expect(await store().lastSweepAt()).toBe(NOW + 60_000);
    for (const tenant of ["sweep", "H#sweep", "#"])
      expect(await store().listStacks(tenant)).toEqual([]);
  });
};

export const stacksContract = (open: Open<Store>): void => {
  describe("writes of a stack", () => writing(open));
  describe("reads of stacks", () => reading(open));
  describe("the stacks that the sweeper looks at", () => unsettledPages(open));
  describe("names of stacks", () => names(open));
  describe("the sweeper's heartbeat", () => heartbeat(open));
};
