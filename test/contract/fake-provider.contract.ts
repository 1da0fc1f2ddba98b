import { describe, expect, it } from "vitest";
import { parseJson } from "#lib/json.ts";
import type { CreateObject, FakeAnswer, FakeProvider } from "#lib/ports/fake-provider.ts";
import { eachTest, type Open } from "./opened.ts";

export interface TimedFakeProvider {
  readonly provider: FakeProvider;
  readonly now: () => number;
  readonly advance: (ms: number) => void;
}

const aCreate = (token: string, waitMs = 0): CreateObject => ({
  token,
  waitMs,
  stackName: "web",
  logicalName: "server",
  type: "OS::Heat::TestResource",
  properties: { value: "one", nested: { list: [1, null, true] } },
});

const idOf = (answer: FakeAnswer): string => (answer.state === "missing" ? "" : answer.physicalId);

const tokens = (open: Open<TimedFakeProvider>): void => {
  const opened = eachTest(open);

  it("creates one object for a repeated create, with the same answer", async () => {
    const { provider } = opened();
    const answer = await provider.create(aCreate("t1"));
    expect(await provider.create(aCreate("t1"))).toEqual(answer);
    const { token, waitMs, ...object } = aCreate("t1");
    expect(answer.state).toBe("done");
    expect(await provider.list()).toEqual([{ ...object, physicalId: idOf(answer) }]);
  });

  it("changes and deletes nothing for another project than the object's", async () => {
    const { provider } = opened();
    const made = await provider.create({ ...aCreate("t1"), tenant: "alpha" });
    const before = await provider.list();
    expect(before).toMatchObject([{ tenant: "alpha" }]);
    const of = { physicalId: idOf(made), waitMs: 0 };
    const theirs = { ...of, tenant: "beta", properties: { value: "two" } };
    expect(await provider.update({ ...theirs, token: "t2" })).toEqual({ state: "missing" });
    await provider.delete({ ...of, tenant: "beta", token: "t3" });
    expect(await provider.list()).toEqual(before);
    await provider.update({ ...theirs, tenant: "alpha", token: "t4" });
    expect(await provider.list()).toMatchObject([{ properties: { value: "two" } }]);
    await provider.delete({ ...of, tenant: "alpha", token: "t5" });
    expect(await provider.list()).toEqual([]);
  });

  it("keeps the value and the kind of each number, and members' names and order", async () => {
    const { provider } = opened();
    const text =
      '{"__proto__":{"constructor":1.0},"n":[123456789012345678,1e+20,-0.0],"1":{"9":1,"8":2},"0":1}';
    const properties = { value: parseJson(text) };
    const physicalId = idOf(await provider.create({ ...aCreate("t1"), properties }));
    expect(JSON.stringify((await provider.list())[0]?.properties)).toBe(`{"value":${text}}`);
    await provider.update({
      token: "t2",
      physicalId,
      properties: { kept: parseJson(text) },
      waitMs: 0,
    });
    expect(JSON.stringify((await provider.list())[0]?.properties)).toBe(`{"kept":${text}}`);
  });

  it("never uses an object's id twice", async () => {
    const { provider } = opened();
    const first = idOf(await provider.create(aCreate("t1")));
    await provider.delete({ token: "t2", physicalId: first, waitMs: 0 });
    const second = idOf(await provider.create(aCreate("t3")));
    expect(second).not.toBe(first);
    expect(await provider.create(aCreate("t1"))).toEqual({ state: "done", physicalId: first });
    expect((await provider.list()).map(({ physicalId }) => physicalId)).toEqual([second]);
  });

  it("updates an object once for each token", async () => {
    const { provider } = opened();
    const physicalId = idOf(await provider.create(aCreate("t1")));
    const update = { token: "t2", physicalId, properties: { value: "two" }, waitMs: 0 };
    expect(await provider.update(update)).toEqual({ state: "done", physicalId });
    await provider.update({ ...update, token: "t3", properties: { value: "three" } });
    expect(await provider.update(update)).toEqual({ state: "done", physicalId });
    const [object] = await provider.list();
    expect(object).toMatchObject({ physicalId, properties: { value: "three" } });
    expect(object?.properties).not.toHaveProperty("nested");
  });

  it("answers missing to the update of an absent object, and done to its deletion", async () => {
    const { provider } = opened();
    for (const physicalId of ["object-999", "nonsense", ""]) {
      const update = { token: `u-${physicalId}`, physicalId, properties: {}, waitMs: 0 };
      expect(await provider.update(update)).toEqual({ state: "missing" });
      expect(await provider.update(update)).toEqual({ state: "missing" });
      const answer = await provider.delete({ token: `d-${physicalId}`, physicalId, waitMs: 500 });
      expect(answer).toEqual({ state: "done", physicalId });
    }
  });
};

const waits = (open: Open<TimedFakeProvider>): void => {
  const opened = eachTest(open);

  it("works for the requested time, then is done", async () => {
    const { provider, now, advance } = opened();
    const readyAt = now() + 500;
    const answer = await provider.create(aCreate("t1", 500));
    const working = { state: "working", physicalId: idOf(answer), readyAt };
    expect(answer).toEqual(working);
    advance(499);
    expect(await provider.poll("t1")).toEqual(working);
    advance(1);
    expect(await provider.poll("t1")).toEqual({ state: "done", physicalId: idOf(answer) });
    expect(await provider.create(aCreate("t1", 500))).toEqual(working);
  });

  it("removes an object at once, and is done after the wait", async () => {
    const { provider, now, advance } = opened();
    const physicalId = idOf(await provider.create(aCreate("t1")));
    const answer = await provider.delete({ token: "t2", physicalId, waitMs: 100 });
    expect(answer).toEqual({ state: "working", physicalId, readyAt: now() + 100 });
    expect(await provider.list()).toEqual([]);
    advance(100);
    expect(await provider.poll("t2")).toEqual({ state: "done", physicalId });
  });

  it("counts an update's wait from its first call", async () => {
    const { provider, now, advance } = opened();
    const physicalId = idOf(await provider.create(aCreate("t1")));
    const update = { token: "t2", physicalId, properties: {}, waitMs: 100 };
    const readyAt = now() + 100;
    await provider.update(update);
    advance(60);
    expect(await provider.update(update)).toEqual({ state: "working", physicalId, readyAt });
  });

  it("answers missing to an unknown token", async () => {
    expect(await opened().provider.poll("never")).toEqual({ state: "missing" });
  });
};

export const fakeProviderContract = (name: string, open: Open<TimedFakeProvider>): void => {
  describe(name, () => {
    describe("tokens", () => tokens(open));
    describe("waits", () => waits(open));
  });
};
