import { describe, expect, it } from "vitest";
import { present, RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Progress } from "#lib/ports/resource-type.ts";
import { sealBlob } from "#lib/software-config/configs/config-content.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { putRow, queryOf } from "#test/unit/software-config/deployed.ts";
import { aCall, act, aRow, attributesOf, call, keep, look, world } from "../world.ts";

const HANDLE = "OS::Heat::SwiftSignalHandle";
const SIGNAL = "OS::Heat::SwiftSignal";

const madeHandle = async (type = HANDLE, at = world()) => {
  const row = aRow(type, "handle");
  const request = await aCall(at, row, "CREATE", {});
  const progress = await call(at, row, request);
  keep(row, request, progress);
  await putRow(at, request);
  await at.store.writeResource({ stackId: request.stackId, id: request.resourceId }, [], {
    set: { type, physicalResourceId: row.physicalResourceId, operation: null },
  });
  const attributes = attributesOf(progress);
  const id = present(row.physicalResourceId, "id");
  return { at, row, request, id, progress, attributes, url: String(attributes["endpoint"]) };
};

type Handle = Awaited<ReturnType<typeof madeHandle>>;

const put = ({ at, url, id }: Handle, body: string) =>
  receiveSignal(at.ports, id, { method: "PUT", query: queryOf(url), body });

const refusalOf = async (work: Promise<unknown>): Promise<[number, string]> => {
  const error = await work.then(
    () => new Error("nothing was refused"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof RequestError) return [error.status, error.message];
  throw error;
};

const begun = async ({ at, url }: Handle, given: JsonObject = {}) => {
  const row = aRow(SIGNAL, "signal");
  const request = await aCall(at, row, "CREATE", { handle: url, timeout: 60, ...given });
  await putRow(at, request);
  const progress = await call(at, row, request);
  keep(row, request, progress);
  const waiting = progress.state === "waiting" ? progress.handle : "";
  return { row, request, progress, again: () => look(at, row, request, waiting) };
};

const outcomeOf = async (texts: readonly string[], count = 1): Promise<Progress> => {
  const handle = await madeHandle();
  for (const text of texts) await put(handle, text);
  return (await begun(handle, { count })).progress;
};

const dataAfter = async (texts: readonly string[], count = 1) =>
  attributesOf(await outcomeOf(texts, count))["data"];

describe("OS::Heat::SwiftSignalHandle", () => {
  it("has Heat's attributes, with a signed URL that is its reference too", async () => {
    const { progress, attributes, url } = await madeHandle();
    expect(url).toMatch(/^https:\/\/hearth\.example\/v1\/agent\/signal\/.*exp=0/);
    expect(attributes).toEqual({ token: "", endpoint: url, curl_cli: `curl -i -X PUT '${url}'` });
    expect(progress).toMatchObject({ refId: url });
  });

  it("is the same when its create is repeated", async () => {
    const { at, row, request, progress } = await madeHandle();
    const fresh = { ...request, physicalResourceId: null };
    expect(await call(at, row, fresh)).toEqual(progress);
  });

  it("takes any text of up to 64 KiB, and up to 1,000 of them", async () => {
    const handle = await madeHandle();
    for (const text of ["no JSON {", "", "null", "[1]"]) {
      expect(await put(handle, text)).toEqual({ status: 200, effect: "result stored" });
    }
    expect((await refusalOf(put(handle, "x".repeat(65_537))))[0]).toBe(413);
    expect(await put(handle, "x".repeat(65_536))).toMatchObject({ status: 200 });
    const { blobs, ports } = handle.at;
    const owner = { tenant: "demo", stackId: "stack-1" };
    const entry = JSON.stringify({ entry: "text", text: "" });
    for (let slot = 5; slot < 1_000; slot += 1) {
      const key = `wait/${handle.id}/${slot}`;
      await blobs.put(key, await sealBlob(ports.cipher, owner, key, entry));
    }
    expect((await refusalOf(put(handle, "")))[0]).toBe(400);
  });

  it("refuses another signature, and texts after its end", async () => {
    const handle = await madeHandle();
    const forged = { ...handle, url: handle.url.replace(/sig=[^&]*/, "sig=AAAA") };
    expect((await refusalOf(put(forged, "")))[0]).toBe(403);
    const key = { stackId: "stack-1", id: "row-handle" };
    await handle.at.store.writeResource(key, [], { set: { action: "DELETE" } });
    expect(await refusalOf(put(handle, "no JSON {"))).toEqual([
      410,
      "The signal handle that this signal is for has been deleted.",
    ]);
  });

  it("deletes its texts with itself, also when that is repeated", async () => {
    const handle = await madeHandle();
    await put(handle, "");
    await put(handle, "");
    const request = await aCall(handle.at, handle.row, "DELETE");
    await call(handle.at, handle.row, request);
    await call(handle.at, handle.row, request);
    expect(await handle.at.blobs.get(`wait/${handle.id}/0`)).toBeNull();
    expect(await handle.at.blobs.get(`wait/${handle.id}/1`)).toBeNull();
  });
});

describe("OS::Heat::SwiftSignal", () => {
  it("is woken by a text, and waits for its count", async () => {
    const handle = await madeHandle();
    const { progress, again } = await begun(handle, { count: 2 });
    expect(progress).toMatchObject({ state: "waiting", pollAfterMs: 5_000 });
    await put(handle, '{"data": "one"}');
    expect(handle.at.queue.pending).toMatchObject([{ message: { resourceId: "row-signal" } }]);
    expect((await again()).state).toBe("waiting");
    await put(handle, '{"data": "two"}');
    const done = await again();
    expect(done).toMatchObject({ state: "finished", refId: "signal" });
    expect(attributesOf(done)).toEqual({ data: '{"1": "one", "2": "two"}' });
  });

  it("counts the texts that came before it, in order, without Heat's initial one", async () => {
    const texts = [
      "in progress",
      "",
      '{"data": [1.0]}',
      '{"id": "mine", "data": {"b": 1, "a": 2}}',
    ];
    expect(await dataAfter(texts, 3)).toBe('{"1": null, "2": [1.0], "mine": {"b": 1, "a": 2}}');
    expect((await outcomeOf(texts, 4)).state).toBe("waiting");
  });

  it("takes the last text of an id, at its end, while the numbers go on", async () => {
    const texts = ['{"id": "a", "data": 1}', '{"data": 2}', '{"id": "a", "data": 3}', "{}"];
    expect(await dataAfter(texts, 3)).toBe('{"2": 2, "a": 3, "4": null}');
    expect((await outcomeOf(texts, 4)).state).toBe("waiting");
    // Python's 1 and 1.0 are one id, and "1" is another.
    expect(await dataAfter(["", '{"id": 1.0, "data": 5}', '{"id": "1"}'], 2)).toBe(
      '{"1.0": 5, "1": null}',
    );
  });

  it("keeps two signals whose number and id are the same", async () => {
    const texts = ['{"id": 2, "data": "x"}', '{"data": "y"}'];
    expect(await dataAfter(texts, 2)).toBe('{"2": "y"}');
  });

  it.each([
    [['{"status": "FAILURE"}', "{}"], "SwiftSignalFailure", "Signal 1 received"],
    [
      ['{"status": "FAILURE", "reason": "disk"}', '{"status": "FAILURE", "id": "b"}'],
      "SwiftSignalFailure",
      "disk;Signal b received",
    ],
    [['{"status": "MAYBE"}'], "Error", "Unknown status: MAYBE"],
    [['{"status": null}', '{"status": "FAILURE"}'], "Error", "Unknown status: None"],
    [["hello {"], "Error", "Failed to parse JSON data: hello {"],
    [["{}", "[1]"], "Error", "The signal is not a JSON object: [1]"],
  ])("fails after %j with %s: %s", async (texts, errorType, reason) => {
    expect(await outcomeOf(texts, 5)).toMatchObject({ state: "failed", errorType, reason });
  });

  it("fails after a text that is nested too deep", async () => {
    const text = "[".repeat(300) + "]".repeat(300);
    const reason = "The signal is nested more than 200 levels deep.";
    expect(await outcomeOf([text])).toMatchObject({ state: "failed", reason });
  });

  it("fails after its timeout with the received signals in the reason", async () => {
    const handle = await madeHandle();
    const { again } = await begun(handle, { timeout: 7, count: 3 });
    handle.at.clock.advance(5_000);
    expect(await again()).toMatchObject({ state: "waiting", pollAfterMs: 2_000 });
    handle.at.clock.advance(2_000);
    const errorType = "SwiftSignalTimeout";
    expect(await again()).toMatchObject({ errorType, reason: "0 of 3 received" });
    await put(handle, "");
    await put(handle, '{"reason": "up"}');
    const reason = "2 of 3 received - Signal 1 received;up";
    expect(await again()).toMatchObject({ errorType, reason });
  });

  it("waits once when its call is repeated, and leaves the texts when it goes", async () => {
    const handle = await madeHandle();
    const { row, request } = await begun(handle);
    await call(handle.at, row, request);
    expect(await handle.at.blobs.get(`wait/${handle.id}/1`)).toBeNull();
    await put(handle, "");
    expect(await act(handle.at, row, "DELETE", { handle: handle.url, timeout: 60 })).toEqual({
      state: "finished",
      physicalResourceId: null,
    });
    expect((await begun(handle)).progress.state).toBe("finished");
  });

  it("needs the URL of a SwiftSignalHandle in its stack", async () => {
    const handle = await madeHandle();
    const { row, request } = await begun(handle);
    const path = new URL(handle.url).pathname;
    const wrong = (url: string, part: string) => ({
      state: "failed",
      errorType: "ValueError",
      reason: `"${url}" is not a valid SwiftSignalHandle.  The ${part} is invalid`,
    });
    const stranger = { ...request, tenant: "stranger" };
    expect(await call(handle.at, row, stranger)).toEqual(wrong(path, "Swift TempURL path"));
    const elsewhere = { ...request, stackId: "stack-2" };
    expect(await call(handle.at, row, elsewhere)).toEqual(wrong(path, "container name"));
    for (const url of ["nothing", handle.id]) {
      const { progress } = await begun({ ...handle, url });
      expect(progress).toEqual(wrong(url, "Swift TempURL path"));
    }
    const other = await madeHandle("OS::Heat::WaitConditionHandle");
    expect((await begun(other)).progress).toEqual(
      wrong(new URL(other.url).pathname, "Swift TempURL path"),
    );
  });

  it("is no handle for wait conditions, which call it by its name", async () => {
    const { at, url } = await madeHandle();
    const row = aRow("OS::Heat::WaitCondition", "wc");
    const request = await aCall(at, row, "CREATE", { handle: url, timeout: 9 });
    expect(await call(at, row, request)).toEqual({
      state: "failed",
      errorType: "ValueError",
      reason: "handle is not a valid wait condition handle.",
    });
  });
});
