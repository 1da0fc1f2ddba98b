import { describe, expect, it } from "vitest";
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import { RetryLater } from "#lib/errors.ts";
import { ExactNumber, type Json, type JsonObject } from "#lib/json.ts";
import type { OperationAction } from "#lib/model/action.ts";
import type { Progress, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { providedType } from "#lib/resources/provided/provided-type.ts";
import { resourceContext } from "#lib/stack/resource-context.ts";
import { handlerFor, isInterruptible } from "#lib/stack/type-predicates.ts";
import { CallerRefused } from "#provider/errors.ts";
import type { ProvidedType } from "#provider/provider.ts";
import { readProvider } from "#provider/read-provider.ts";
import { world } from "../world.ts";

const NOW = 1_000_000;
const CALL_SECONDS_MAX = 0.05;

type Given = Readonly<Record<string, unknown>>;

const givenType = (changes: Given): Given => ({
  description: "a thing",
  properties: {
    size: { type: "integer", updateAllowed: true },
    key: { type: "map", secret: true },
  },
  attributes: { url: { type: "string" } },
  tokens: "kept",
  callSecondsMax: CALL_SECONDS_MAX,
  create: async () => ({ state: "finished", physicalId: "thing-1" }),
  update: async () => ({ state: "finished" }),
  delete: async () => ({ state: "finished" }),
  ...changes,
});

const typeWith = (changes: Given = {}, now = NOW): ResourceType => typeOf(givenType(changes), now);

const typeOf = (given: object, now = NOW): ResourceType => {
  const types = { "My::Thing": given };
  const type = readProvider({ provider: 1, name: "things", types }).types["My::Thing"];
  if (type === undefined) throw new Error("the provider has lost its type");
  const limit = callLimit();
  return providedType({ provider: "things", name: "My::Thing", type, limit, now: () => now });
};

const callOf = (action: OperationAction, changes: Partial<ProviderCall> = {}): ProviderCall => ({
  tenant: "demo",
  stackId: "stack-1",
  stackName: "web",
  resourceId: "row-1",
  resourceName: "thing",
  templateId: "template-1",
  action,
  token: `row-1/${action}/1`,
  generation: 1,
  physicalResourceId: action === "CREATE" ? null : "thing-1",
  properties: { size: 1 },
  previousProperties: null,
  deadline: NOW + 60_000,
  abandonsUnreachable: false,
  ...changes,
});

const context = resourceContext(world().ports, { tenant: "demo", stackId: "stack-1", id: "row-1" });

const act = async (type: ResourceType, call: ProviderCall): Promise<Progress | undefined> =>
  handlerFor(type, call.action)?.(call, context);

const answering = (member: string, answer: unknown, more: Given = {}): ResourceType =>
  typeWith({ ...more, [member]: async () => answer });

const WAITING = { state: "waiting", physicalId: "thing-1", handle: "h", pollAfterSeconds: 2 };

describe("a call of a plug-in", () => {
  it("has the operation's data as plain values", async () => {
    const seen: unknown[] = [];
    const create = async (call: unknown) => {
      seen.push(call);
      return { state: "finished", physicalId: "thing-1" };
    };
    const properties = { size: new ExactNumber(2), list: [{ a: null }] };
    await act(typeWith({ create }), callOf("CREATE", { properties }));
    expect(seen).toEqual([
      {
        token: "row-1/CREATE/1",
        action: "CREATE",
        tenant: "demo",
        stackId: "stack-1",
        stackName: "web",
        resourceId: "row-1",
        resourceName: "thing",
        physicalId: null,
        properties: { size: 2, list: [{ a: null }] },
        previousProperties: null,
        deadline: NOW + 60_000,
        signal: expect.any(AbortSignal),
      },
    ]);
  });

  it("cannot change the engine's properties", async () => {
    const properties: JsonObject = { list: ["a"] };
    const create = async (call: { properties: { list: string[] } }) => {
      call.properties.list.push("b");
      return { state: "finished", physicalId: "thing-1" };
    };
    await act(typeWith({ create }), callOf("CREATE", { properties }));
    expect(properties).toEqual({ list: ["a"] });
  });

  it("keeps its `this`", async () => {
    class Thing {
      description = "a thing";
      properties = {};
      tokens = "kept";
      #id = "thing-9";
      async create() {
        return { state: "finished", physicalId: this.#id };
      }
      async delete() {
        return { state: "finished" };
      }
    }
    expect(await act(typeOf(new Thing()), callOf("CREATE"))).toEqual({
      state: "finished",
      physicalResourceId: "thing-9",
    });
  });

  it("fails for an integer that JavaScript cannot hold, and does not show it", async () => {
    const properties = { size: new ExactNumber(2n ** 60n) };
    await expect(act(typeWith(), callOf("CREATE", { properties }))).rejects.toThrow(
      "a property has an integer that is too large for a provider",
    );
  });
});

describe("an answer", () => {
  const cases: readonly [string, OperationAction, unknown, Progress][] = [
    [
      "create finished",
      "CREATE",
      { state: "finished", physicalId: "thing-1", attributes: { url: "u" } },
      { state: "finished", physicalResourceId: "thing-1", attributes: { url: "u" } },
    ],
    [
      "create waiting",
      "CREATE",
      WAITING,
      { state: "waiting", handle: "h", pollAfterMs: 2_000, physicalResourceId: "thing-1" },
    ],
    [
      "create failed with an object",
      "CREATE",
      { state: "failed", reason: "no", physicalId: "thing-1" },
      { state: "failed", reason: "no", physicalResourceId: "thing-1" },
    ],
    ["update finished", "UPDATE", { state: "finished" }, { state: "finished" }],
    ["update gone", "UPDATE", { state: "gone" }, { state: "replace", isGone: true }],
    ["update replace", "UPDATE", { state: "replace" }, { state: "replace" }],
    ["delete gone", "DELETE", { state: "gone" }, { state: "finished", physicalResourceId: null }],
    [
      "check gone",
      "CHECK",
      { state: "gone" },
      {
        state: "failed",
        reason: "The object (thing-1) could not be found.",
        errorType: "EntityNotFound",
        health: "gone",
      },
    ],
  ];

  it.each(cases)("becomes progress: %s", async (_name, action, answer, progress) => {
    const type = answering(action.toLowerCase(), answer, { poll: async () => ({}) });
    expect(await act(type, callOf(action))).toEqual(progress);
  });

  it("that says to try again later releases the row", async () => {
    const type = answering("create", { state: "throttled", afterSeconds: 7 });
    await expect(act(type, callOf("CREATE"))).rejects.toMatchObject({
      name: "RetryLater",
      afterSeconds: 7,
    });
  });

  it("that says why is told to a reader until the call is answered", async () => {
    const busy = { state: "throttled", reason: "no s3cret yet" };
    const answers: object[] = [busy, { state: "finished", physicalId: "thing-1" }];
    const type = typeWith({ create: async () => answers.shift() });
    const row = { id: "row-1" };
    const call = callOf("CREATE", { properties: { key: { inner: "s3cret" } } });
    expect(type.explainRetry?.(row)).toBe(null);
    await expect(act(type, call)).rejects.toThrow(RetryLater);
    const text = "the provider things asks to try again later: no ****** yet";
    expect(type.explainRetry?.(row)).toBe(text);
    await act(type, call);
    expect(type.explainRetry?.(row)).toBe(null);
  });

  it("that says so without a token fails, for nobody may call again", async () => {
    const type = answering("create", { state: "throttled" }, { tokens: "ignored" });
    expect(await act(type, callOf("CREATE"))).toEqual({
      state: "failed",
      reason: "the provider things asks to try again later",
    });
  });

  it("is not asked for where there is no object to delete", async () => {
    const type = typeWith({ delete: () => Promise.reject(new Error("was called")) });
    expect(await act(type, callOf("DELETE", { physicalResourceId: null }))).toEqual({
      state: "finished",
      physicalResourceId: null,
    });
  });
});

describe("garbage", () => {
  const circle: unknown[] = [];
  circle.push(circle);
  const cases: readonly [string, OperationAction, unknown, RegExp][] = [
    ["nothing", "CREATE", undefined, /gave an invalid answer to create of My::Thing: /],
    ["an unknown state", "CREATE", { state: "done" }, /: state: /],
    ["no physical id", "CREATE", { state: "finished" }, /: physicalId: CREATE must give one/],
    ["an unknown member", "UPDATE", { state: "finished", id: 1 }, /answer to update .*"id"/],
    ["an unknown attribute", "CHECK", { state: "finished", attributes: { x: 1 } }, /attributes\.x/],
    ["a function", "UPDATE", { state: "finished", attributes: { url: () => 1 } }, /attributes/],
    [
      "a circle",
      "UPDATE",
      { state: "finished", attributes: { url: circle } },
      /it cannot be written as JSON/,
    ],
    ["a wait without poll", "CREATE", WAITING, /the type has no poll/],
    ["a state of another action", "DELETE", { state: "replace" }, /DELETE cannot answer "replace"/],
  ];

  it.each(cases)(
    "fails the resource, and names the function: %s",
    async (_name, action, answer, text) => {
      const type = answering(action.toLowerCase(), answer, { check: async () => answer });
      const progress = await act(type, callOf(action));
      expect(progress).toMatchObject({ state: "failed", reason: expect.stringMatching(text) });
    },
  );

  it.each([
    [250, /it nests more than 200 levels/],
    [2_500, /it nests more than 200 levels/],
    [100_000, /it cannot be written as JSON/],
  ])("is an answer that nests %i levels", async (levels, why) => {
    const url: Json = JSON.parse("[".repeat(levels) + "]".repeat(levels));
    const answer = { state: "finished", physicalId: "thing-7", attributes: { url } };
    expect(await act(answering("create", answer), callOf("CREATE"))).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(why),
      physicalResourceId: "thing-7",
    });
  });

  it("of a creation asks its user what was made", async () => {
    const progress = await act(answering("create", { state: "done" }), callOf("CREATE"));
    expect(progress).toMatchObject({
      outcomeUnknown: true,
      reason: expect.stringContaining("`hearth stack resource resolve`"),
    });
  });

  it("of a creation gives its physical id to a later delete, if it has one", async () => {
    const type = answering("create", { state: "done", physicalId: "thing-7" });
    const progress = await act(type, callOf("CREATE"));
    expect(progress).toMatchObject({ state: "failed", physicalResourceId: "thing-7" });
    expect(progress).not.toHaveProperty("outcomeUnknown");
  });
});

describe("an error", () => {
  it("fails the operation with its text, without secrets", async () => {
    const create = async () => {
      throw new Error('bad key "s3cret" or "line\\nbreak"');
    };
    const properties = { key: { inner: ["s3cret", "line\nbreak"] } };
    await expect(act(typeWith({ create }), callOf("CREATE", { properties }))).rejects.toThrow(
      'bad key "******" or "******"',
    );
  });

  it("and a told failure hide the secrets of the former properties too", async () => {
    const type = answering("update", { state: "failed", reason: "not older: before" });
    const previousProperties = { key: { value: "before" } };
    expect(await act(type, callOf("UPDATE", { previousProperties }))).toEqual({
      state: "failed",
      reason: "not older: ******",
    });
  });

  it.each([
    ["in base64", "Value: bG9uZyDDoSBzZWNyZXQ=. It is too long", "Value: ******. It is too long"],
    ["that was cut off", "bad value: #!/bin/sh\npassword=swo", "bad value: ******"],
    ["in base64, and cut off", "Value: IyEvYmluL3NoCnBhc3N3", "Value: ******"],
    ["of which only some characters are there", "bad value: #!/bin/sh", "bad value: #!/bin/sh"],
  ])("hides a secret %s", async (_how, reason, shown) => {
    const type = answering("create", { state: "failed", reason });
    const key = { one: "long á secret", other: "#!/bin/sh\npassword=swordfish" };
    expect(await act(type, callOf("CREATE", { properties: { key } }))).toMatchObject({
      reason: shown,
    });
  });

  it("that is thrown at once is the same", async () => {
    const create = () => {
      throw new Error("at once");
    };
    await expect(act(typeWith({ create }), callOf("CREATE"))).rejects.toThrow("at once");
  });
});

describe("a call that never ends", () => {
  const never = (): Promise<never> => new Promise(() => undefined);

  it("is cut off, aborted, and then as lost", async () => {
    const signals: AbortSignal[] = [];
    const create = ({ signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return never();
    };
    const type = typeWith({ create });
    await expect(act(type, callOf("CREATE"))).rejects.toBeInstanceOf(RetryLater);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    // The call is still running, so its repetition waits for the same one.
    await expect(act(type, callOf("CREATE"))).rejects.toBeInstanceOf(RetryLater);
    expect(signals.length).toBe(1);
  });

  it("gives its late answer to its repetition", async () => {
    const { promise, resolve: end } = Promise.withResolvers<unknown>();
    const type = typeWith({ create: () => promise });
    await expect(act(type, callOf("CREATE"))).rejects.toBeInstanceOf(RetryLater);
    const second = act(type, callOf("CREATE"));
    end({ state: "finished", physicalId: "late" });
    expect(await second).toEqual({ state: "finished", physicalResourceId: "late" });
  });

  it("fails at the end of its operation, and a creation asks its user", async () => {
    const type = typeWith({ create: never, update: never }, NOW + 60_000);
    const seconds = CALL_SECONDS_MAX;
    expect(await act(type, callOf("UPDATE"))).toEqual({
      state: "failed",
      reason: `update of My::Thing at the provider things took more than ${seconds} s`,
    });
    expect(await act(type, callOf("CREATE"))).toMatchObject({ outcomeUnknown: true });
  });
});

describe("what an earlier call has made", () => {
  const searching = (find: () => unknown, now = NOW): ResourceType =>
    typeWith({ tokens: "searchable", find: async () => find() }, now);
  const refusing = (): never => {
    throw new CallerRefused("no such credential s3cret");
  };
  const call = callOf("CREATE", { properties: { key: { inner: "s3cret" } } });
  const shown = "no such credential ******";

  it("is asked about if find fails without an id", async () => {
    const failed = searching(() => ({ state: "failed", reason: "no list" }));
    const thrown = searching(() => {
      throw new Error("no list");
    });
    for (const { lifecycle } of [failed, thrown]) {
      expect(await lifecycle.find?.(call, context)).toMatchObject({
        state: "failed",
        outcomeUnknown: true,
        reason: expect.stringMatching(/^no list\. The call may have made an object/),
      });
    }
  });

  it("goes to a delete if find fails with its id", async () => {
    const failed = { state: "failed", reason: "broken", physicalId: "thing-1" };
    expect(await searching(() => failed).lifecycle.find?.(call, context)).toEqual({
      state: "failed",
      reason: "broken",
      physicalResourceId: "thing-1",
    });
  });

  it("is asked for again while the back-end does not know its caller", async () => {
    const text = `at the provider things was refused: ${shown}`;
    const found = searching(refusing).lifecycle.find?.(call, context);
    await expect(found).rejects.toThrow(RetryLater);
    await expect(found).rejects.toThrow(`find of My::Thing ${text}`);
    const repeated = act(typeWith({ create: refusing }), { ...call, isRepeated: true });
    await expect(repeated).rejects.toThrow(RetryLater);
    const late = NOW + 60_000;
    const ends = [
      searching(refusing, late).lifecycle.find?.(call, context),
      act(typeWith({ create: refusing }, late), { ...call, isRepeated: true }),
    ];
    for (const end of await Promise.all(ends)) {
      expect(end).toMatchObject({ state: "failed", outcomeUnknown: true });
    }
  });

  it("is nothing in a first call that the back-end refuses, or in a change", async () => {
    await expect(act(typeWith({ create: refusing }), call)).rejects.toThrow(shown);
    const { properties } = call;
    const update = callOf("UPDATE", { properties, isRepeated: true });
    await expect(act(typeWith({ update: refusing }), update)).rejects.not.toThrow(RetryLater);
  });
});

describe("the declaration of a provided type", () => {
  it("has the schemas of its provider", () => {
    const { schema, lifecycle } = typeWith();
    expect(schema.properties).toEqual({
      size: { type: "integer", updateAllowed: true },
      key: { type: "map" },
    });
    expect(schema.attributes).toEqual({ url: { description: "", type: "string" } });
    expect(lifecycle).toMatchObject({
      tokenPolicy: { tokens: "kept" },
      callMsMax: 50,
      operationMsMax: 86_400_000,
    });
  });

  it("asks find for a creation only, for an update is made again", async () => {
    const find: ProvidedType["find"] = async () => ({ state: "finished", physicalId: "found" });
    const { lifecycle } = typeWith({ tokens: { windowSeconds: 60 }, find });
    expect(lifecycle.tokenPolicy).toEqual({ tokens: "window", windowMs: 60_000 });
    expect(await lifecycle.find?.(callOf("CREATE"), context)).toEqual({
      state: "finished",
      physicalResourceId: "found",
    });
    expect(await lifecycle.find?.(callOf("UPDATE"), context)).toBe(null);
    const nothing = typeWith({ tokens: "searchable", find: async () => null });
    expect(await nothing.lifecycle.find?.(callOf("CREATE"), context)).toBe(null);
  });

  it("lets a delete wait, unless it can cancel", async () => {
    expect(typeWith().lifecycle.deleteWaits).toBe(true);
    const told: unknown[] = [];
    const cancel = async ({ physicalId }: { physicalId: string }) => void told.push(physicalId);
    const type = typeWith({ cancel });
    expect(type.lifecycle.deleteWaits).toBeUndefined();
    const call = callOf("UPDATE");
    expect(isInterruptible(type, call)).toBe(false);
    expect(await type.waiting?.abandon?.(call, context, "overtaken")).toBe(null);
    expect(told).toEqual(["thing-1"]);
  });

  it("goes on with a delete if cancel fails, and says so", async () => {
    const cancel = async () => {
      throw new Error("too late");
    };
    const { waiting } = typeWith({ cancel });
    expect(await waiting?.abandon?.(callOf("UPDATE"), context, "overtaken")).toBe(
      "cancel failed: too late",
    );
  });

  it("asks poll with the handle of the wait", async () => {
    const asked: unknown[] = [];
    const poll = async ({ handle, physicalId }: { handle: string; physicalId: string }) => {
      asked.push([physicalId, handle]);
      return { state: "finished" };
    };
    const { lifecycle } = typeWith({ poll });
    const call = callOf("CREATE", { physicalResourceId: "thing-1" });
    expect(await lifecycle.checkComplete?.(call, "h", context)).toEqual({ state: "finished" });
    expect(asked).toEqual([["thing-1", "h"]]);
  });
});
