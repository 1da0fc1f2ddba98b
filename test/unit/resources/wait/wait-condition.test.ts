import { describe, expect, it } from "vitest";
import { present, RequestError } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { Progress } from "#lib/ports/resource-type.ts";
import { WAIT_SIGNALS_MAX } from "#lib/resources/wait/wait-log.ts";
import { sealBlob } from "#lib/software-config/configs/config-content.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { putRow, queryOf } from "#test/unit/software-config/deployed.ts";
import {
  aCall,
  act,
  aRow,
  attributesOf,
  call,
  keep,
  look,
  type Row,
  type World,
  world,
} from "../world.ts";

const HANDLE = "OS::Heat::WaitConditionHandle";
const CONDITION = "OS::Heat::WaitCondition";
const AWS_HANDLE = "AWS::CloudFormation::WaitConditionHandle";
const AWS_CONDITION = "AWS::CloudFormation::WaitCondition";

const madeHandle = async (type = HANDLE, given: JsonObject = {}, at: World = world()) => {
  const row = aRow(type, "handle");
  const request = await aCall(at, row, "CREATE", given);
  const progress = await call(at, row, request);
  keep(row, request, progress);
  await putRow(at, request);
  await at.store.writeResource({ stackId: request.stackId, id: request.resourceId }, [], {
    set: { type, physicalResourceId: row.physicalResourceId, operation: null },
  });
  const refId = progress.state === "finished" ? progress.refId : undefined;
  const url = refId ?? attributesOf(progress)["endpoint"];
  return { at, row, id: present(row.physicalResourceId, "id"), url: String(url), progress };
};

type Handle = Awaited<ReturnType<typeof madeHandle>>;

const signal = async ({ at, url }: Handle, body: Json | string) => {
  const { pathname } = new URL(url);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const request = { method: "POST", query: queryOf(url), body: text };
  return receiveSignal(at.ports, pathname.split("/").at(-1) ?? "", request);
};

const refusalOf = async (work: Promise<unknown>): Promise<[number, string]> => {
  const error = await work.then(
    () => new Error("nothing was refused"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof RequestError) return [error.status, error.message];
  throw error;
};

const begun = async (
  at: World,
  given: JsonObject,
  type = CONDITION,
  row: Row = aRow(type, "wc"),
) => {
  const request = await aCall(at, row, row.properties === null ? "CREATE" : "UPDATE", given);
  await putRow(at, request);
  const progress = await call(at, row, request);
  keep(row, request, progress);
  const waiting = progress.state === "waiting" ? progress.handle : "";
  const again = async (): Promise<Progress> => {
    const looked = await look(at, row, request, waiting);
    keep(row, request, looked);
    return looked;
  };
  return { row, progress, again };
};

const dataOf = (progress: Progress): Json => JSON.parse(String(attributesOf(progress)["data"]));

describe("OS::Heat::WaitConditionHandle", () => {
  it("shows in its attributes how to signal to one signed URL", async () => {
    const { progress, url } = await madeHandle();
    const attributes = attributesOf(progress);
    expect(url).toMatch(/^https:\/\/hearth\.example\/v1\/agent\/signal\/.*exp=0/);
    expect(attributes["curl_cli"]).toBe(
      `curl -i -X POST -H 'Content-Type: application/json' -H 'Accept: application/json' '${url}'`,
    );
    expect(url).toContain(`sig=${encodeURIComponent(String(attributes["token"]))}`);
    expect(attributes["signal"]).toBe("null");
  });

  it.each(["CFN_SIGNAL", "TEMP_URL_SIGNAL", "HEAT_SIGNAL", "ZAQAR_SIGNAL"])(
    "shows the same URL as `signal` with %s",
    async (signal_transport) => {
      const { progress } = await madeHandle(HANDLE, { signal_transport });
      const { signal: text, ...others } = attributesOf(progress);
      expect(others).toEqual({ token: null, endpoint: null, curl_cli: null });
      expect(JSON.parse(String(text))).toEqual({ alarm_url: expect.stringMatching(/sig=/) });
    },
  );

  it("makes an event of each signal", async () => {
    const handle = await madeHandle();
    await signal(handle, { data: 1 });
    const stored = await handle.at.store.getResource({ stackId: "stack-1", id: "row-handle" });
    expect(stored?.signalReason).toBe("Signal: status:SUCCESS reason:Signal 1 received");
  });

  it.each([{ status: "DONE" }, { status: null }, { status: "SUCCESS", more: 1 }, ["SUCCESS"], 5])(
    "refuses %j, and stores nothing",
    async (body) => {
      const handle = await madeHandle();
      expect(await refusalOf(signal(handle, body))).toEqual([400, "Metadata format invalid"]);
      const { progress } = await begun(handle.at, { handle: handle.id, timeout: 9 });
      expect(progress.state).toBe("waiting");
      expect(await handle.at.softwareConfigs.listEvidence(handle.id)).toMatchObject([
        { kind: "not_valid", deploymentId: null },
      ]);
    },
  );

  it("refuses invalid JSON, large signals and too many signals", async () => {
    const handle = await madeHandle();
    expect(await refusalOf(signal(handle, "{"))).toEqual([400, "The signal is not JSON."]);
    expect(await refusalOf(signal(handle, "[".repeat(201) + "]".repeat(201)))).toEqual([
      400,
      "The signal is nested more than 200 levels deep.",
    ]);
    const large = await refusalOf(signal(handle, { data: "x".repeat(65_536) }));
    expect(large[0]).toBe(413);
    const { blobs, ports } = handle.at;
    const owner = { tenant: "demo", stackId: "stack-1" };
    const entry = JSON.stringify({ entry: "signal", status: "SUCCESS", data: null });
    for (let slot = 0; slot < WAIT_SIGNALS_MAX; slot += 1) {
      const key = `wait/${handle.id}/${slot}`;
      await blobs.put(key, await sealBlob(ports.cipher, owner, key, entry));
    }
    expect((await refusalOf(signal(handle, {})))[0]).toBe(400);
    // A full log does not affect the conditions.
    const { progress, row } = await begun(handle.at, { handle: handle.id, timeout: 9 });
    expect(progress.state).toBe("finished");
    expect((await act(handle.at, row, "DELETE")).state).toBe("finished");
  });

  it("refuses signals while it is suspended, and when it is deleted", async () => {
    const handle = await madeHandle();
    const key = { stackId: "stack-1", id: "row-handle" };
    await handle.at.store.writeResource(key, [], { set: { action: "SUSPEND" } });
    expect(await refusalOf(signal(handle, {}))).toEqual([
      400,
      "Signal resource during SUSPEND is not supported.",
    ]);
    const told = await handle.at.store.getResource(key);
    expect(told?.signalReason).toBe("Cannot signal resource during SUSPEND");
    await refusalOf(signal(handle, {}));
    // Refused signals cannot fill the store.
    expect((await handle.at.store.getResource(key))?.version).toBe(told?.version);
    await handle.at.store.writeResource(key, [], {
      set: { action: "DELETE", physicalResourceId: null },
    });
    expect((await refusalOf(signal(handle, {})))[0]).toBe(410);
  });

  it("deletes its signals when it is deleted", async () => {
    const handle = await madeHandle();
    await signal(handle, {});
    await signal(handle, {});
    expect(await handle.at.blobs.get(`wait/${handle.id}/1`)).not.toBeNull();
    await act(handle.at, handle.row, "DELETE");
    await act(handle.at, handle.row, "DELETE");
    expect(await handle.at.blobs.get(`wait/${handle.id}/0`)).toBeNull();
    expect(await handle.at.blobs.get(`wait/${handle.id}/1`)).toBeNull();
  });

  it.each([
    ["OS::Heat::WaitConditionHandle", {}],
    ["AWS::CloudFormation::WaitConditionHandle", {}],
    ["OS::Heat::SwiftSignalHandle", {}],
    [
      "OS::Heat::ScalingPolicy",
      {
        auto_scaling_group_id: "group",
        adjustment_type: "change_in_capacity",
        scaling_adjustment: 1,
      },
    ],
  ])("leaves what its URL stood for a month only: %s", async (type, properties) => {
    const at = world();
    const row = aRow(type, "handle");
    await act(at, row, "CREATE", properties);
    const id = present(row.physicalResourceId, "id");
    const daysLeft = async () => {
      const target = present(await at.softwareConfigs.getSignalTarget(id), "target");
      return (target.expiresAt - at.clock.now()) / (24 * 3_600_000);
    };
    expect(await daysLeft()).toBe(36_500);
    await act(at, row, "DELETE");
    expect(await daysLeft()).toBe(30);
  });
});

describe("OS::Heat::WaitCondition", () => {
  it("waits for its count of signals and has their data", async () => {
    const handle = await madeHandle();
    const { progress, again } = await begun(handle.at, {
      handle: handle.id,
      timeout: 60,
      count: 2,
    });
    expect(progress).toMatchObject({ state: "waiting", pollAfterMs: 5_000 });
    await signal(handle, { data: { a: 1 } });
    expect((await again()).state).toBe("waiting");
    await signal(handle, { id: "mine", data: "x", reason: "up", status: "SUCCESS" });
    expect(dataOf(await again())).toEqual({ 1: { a: 1 }, mine: "x" });
  });

  it("is woken by a signal", async () => {
    const handle = await madeHandle();
    await begun(handle.at, { handle: handle.id, timeout: 60 });
    await signal(handle, {});
    expect(handle.at.queue.pending).toMatchObject([{ message: { resourceId: "row-wc" } }]);
    expect(await handle.at.store.getResource({ stackId: "stack-1", id: "row-wc" })).toMatchObject({
      signals: 1,
      signalReason: null,
    });
  });

  it("counts the signals that came before it", async () => {
    const handle = await madeHandle();
    await signal(handle, "");
    const { progress } = await begun(handle.at, { handle: handle.id, timeout: 60 });
    expect(dataOf(progress)).toEqual({ 1: null });
  });

  it("keeps all signals of the same moment", async () => {
    const handle = await madeHandle();
    await Promise.all(Array.from({ length: 20 }, (_, data) => signal(handle, { data })));
    const { progress } = await begun(handle.at, { handle: handle.id, timeout: 60, count: 20 });
    const data = dataOf(progress);
    expect(Object.keys(Object(data))).toHaveLength(20);
    expect(new Set(Object.values(Object(data))).size).toBe(20);
  });

  it("counts an id once, by its last signal", async () => {
    const handle = await madeHandle();
    await signal(handle, { id: 7, data: "first" });
    await signal(handle, { id: "7", data: "second" });
    const { progress, again } = await begun(handle.at, { handle: handle.id, timeout: 9, count: 2 });
    expect(progress.state).toBe("waiting");
    await signal(handle, {});
    expect(dataOf(await again())).toEqual({ 7: "second", 2: null });
  });

  it("fails with the reasons of the failures", async () => {
    const handle = await madeHandle();
    const { again } = await begun(handle.at, { handle: handle.id, timeout: 60, count: 3 });
    await signal(handle, { status: "FAILURE", reason: "no disk" });
    await signal(handle, { status: "FAILURE" });
    expect(await again()).toMatchObject({
      state: "failed",
      errorType: "WaitConditionFailure",
      reason: "no disk;Signal 2 received",
    });
  });

  it("fails after its timeout with the received signals in the reason", async () => {
    const handle = await madeHandle();
    const { again } = await begun(handle.at, { handle: handle.id, timeout: 7, count: 2 });
    handle.at.clock.advance(5_000);
    expect(await again()).toMatchObject({ state: "waiting", pollAfterMs: 2_000 });
    handle.at.clock.advance(2_000);
    expect(await again()).toMatchObject({
      errorType: "WaitConditionTimeout",
      reason: "0 of 2 received",
    });
    await signal(handle, { reason: "one" });
    expect(await again()).toMatchObject({ reason: "1 of 2 received - one" });
  });

  it("waits again with the present signals when its count is updated", async () => {
    const handle = await madeHandle();
    await signal(handle, {});
    const given = { handle: handle.id, timeout: 9 };
    const first = await begun(handle.at, given);
    handle.at.clock.advance(60_000);
    const { progress, again } = await begun(
      handle.at,
      { ...given, count: 2 },
      CONDITION,
      first.row,
    );
    expect(progress.state).toBe("waiting");
    await signal(handle, {});
    expect(dataOf(await again())).toEqual({ 1: null, 2: null });
  });

  it("does not wait with NO_SIGNAL", async () => {
    const handle = await madeHandle(HANDLE, { signal_transport: "NO_SIGNAL" });
    expect(attributesOf(handle.progress)["signal"]).toBe("{}");
    const { progress } = await begun(handle.at, { handle: handle.id, timeout: 9, count: 5 });
    expect(dataOf(progress)).toEqual({});
  });

  it("clears its handle when it is deleted, even if the handle is gone", async () => {
    const handle = await madeHandle();
    await signal(handle, {});
    const given = { handle: handle.id, timeout: 9 };
    const { row } = await begun(handle.at, given);
    await act(handle.at, row, "DELETE");
    const next = await begun(handle.at, given);
    expect(next.progress.state).toBe("waiting");
    await act(handle.at, handle.row, "DELETE");
    expect((await act(handle.at, next.row, "DELETE", given)).state).toBe("finished");
  });

  it("needs a handle of its own stack", async () => {
    const at = world();
    const handle = await madeHandle(HANDLE, {}, at);
    for (const name of ["nothing", "11111111-2222-3333-4444-555555555555"]) {
      const { progress } = await begun(at, { handle: name, timeout: 9 });
      const reason = `${name} is not a valid wait condition handle.`;
      expect(progress).toMatchObject({ state: "failed", errorType: "ValueError", reason });
    }
    const row = aRow(CONDITION, "wc");
    const request = await aCall(at, row, "CREATE", { handle: handle.id, timeout: 9 });
    for (const foreign of [{ stackId: "stack-2" }, { tenant: "stranger" }]) {
      expect(await call(at, row, { ...request, ...foreign })).toMatchObject({ state: "failed" });
    }
  });

  it("waits once when the call is repeated", async () => {
    const handle = await madeHandle();
    const row = aRow(CONDITION, "wc");
    const request = await aCall(handle.at, row, "CREATE", { handle: handle.id, timeout: 9 });
    await call(handle.at, row, request);
    await call(handle.at, row, request);
    expect(await handle.at.blobs.get(`wait/${handle.id}/1`)).toBeNull();
  });
});

describe("CloudFormation's wait conditions", () => {
  const whole = { Status: "SUCCESS", Reason: "up", Data: "d", UniqueId: "one" };

  it("take signals to the handle's URL and answer with all of them", async () => {
    const handle = await madeHandle(AWS_HANDLE);
    const given = { Handle: handle.url, Timeout: 60 };
    const { again } = await begun(handle.at, given, AWS_CONDITION);
    const { UniqueId: _, ...metadata } = whole;
    expect((await signal(handle, whole)).document).toEqual({
      resource: "handle",
      metadata: { one: metadata },
    });
    expect(attributesOf(await again())).toEqual({ Data: '{"one": "d"}' });
  });

  it("need every part of a signal and ignore an empty body", async () => {
    const handle = await madeHandle(AWS_HANDLE);
    const { Data: _, ...partial } = whole;
    expect((await refusalOf(signal(handle, partial)))[0]).toBe(400);
    await signal(handle, "");
    const { progress } = await begun(handle.at, { Handle: handle.url, Timeout: 9 }, AWS_CONDITION);
    expect(progress.state).toBe("waiting");
  });

  it("explain what is wrong with a handle", async () => {
    const handle = await madeHandle(AWS_HANDLE);
    const row = aRow(AWS_CONDITION, "wc");
    const request = await aCall(handle.at, row, "CREATE", { Handle: handle.url, Timeout: 9 });
    const reasonOf = async (changes: JsonObject, properties: JsonObject = request.properties) => {
      const progress = await call(handle.at, row, { ...request, ...changes, properties });
      return progress.state === "failed" ? progress.reason : progress.state;
    };
    expect(await reasonOf({ tenant: "stranger" })).toBe("WaitCondition invalid Handle tenant demo");
    expect(await reasonOf({ stackId: "other" })).toBe("WaitCondition invalid Handle stack stack-1");
    const byId = { ...request.properties, Handle: handle.id };
    expect(await reasonOf({}, byId)).toBe(`WaitCondition invalid Handle ${handle.id}`);
  });

  it("can be mixed with Heat's conditions, which take any handle", async () => {
    const handle = await madeHandle("OS::Heat::UpdateWaitConditionHandle");
    await signal(handle, whole);
    const { progress } = await begun(handle.at, { handle: handle.url, timeout: 9 });
    expect(dataOf(progress)).toEqual({ one: "d" });
  });
});
