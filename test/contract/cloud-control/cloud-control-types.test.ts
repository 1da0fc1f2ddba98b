import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Answer, JsonObject } from "#provider/provider.ts";
import type { CloudControlType } from "#providers/cloud-control/cloud-control.ts";
import { UNSEEN_LOOKS_MAX } from "#providers/cloud-control/types/follow.ts";
import { type RunningDouble, startDouble } from "../../cloud-control/cloud-control-double.ts";
import { callOf, ROLE, typeAt } from "../../cloud-control/provider-at.ts";

let running: RunningDouble;
beforeEach(async () => {
  running = await startDouble({ polls: 0 });
});
afterEach(() => running.stop());

const QUEUE = "AWS::SQS::Queue";
const BUCKET = "AWS::S3::Bucket";
const PARAMETER = "AWS::SSM::Parameter";
const DATABASE = "AWS::RDS::DBInstance";

const create = async (name: string, token: string, properties: JsonObject): Promise<Answer> =>
  (await typeAt(running, name)).create(callOf(token, properties));

const idOf = (answer: Answer): string =>
  answer.state === "finished" || answer.state === "waiting" ? (answer.physicalId ?? "") : "";

const update = async (
  name: string,
  id: string,
  before: JsonObject,
  after: JsonObject,
  repairs = false,
) => {
  const more = { action: "UPDATE", previousProperties: before, repairs } as const;
  const call = callOf(`update ${id}`, after, more);
  return (await typeAt(running, name)).update?.({ ...call, physicalId: id });
};

const remove = async (name: string, id: string) =>
  (await typeAt(running, name)).delete({
    ...callOf(`delete ${id}`, {}, { action: "DELETE" }),
    physicalId: id,
  });

const check = async (name: string, id: string, properties: JsonObject, isOwn = true) => {
  const more = { action: "CHECK", previousProperties: isOwn ? properties : null } as const;
  return (await typeAt(running, name)).check?.({
    ...callOf("check", properties, more),
    physicalId: id,
  });
};

const liveOf = (type: string): JsonObject =>
  [...running.double.objects.values()].find((one) => one.type === type)?.model ?? {};

describe("the account", () => {
  it("is entered by the role of the project, with its external id", async () => {
    await create(QUEUE, "one", {});
    expect(running.double.sessions).toEqual([
      { role: ROLE.role_arn, session: "hearth-demo", externalId: ROLE.external_id },
    ]);
  });
});

describe("a creation", () => {
  it("waits as AWS says, and ends with the identifier and the attributes", async () => {
    running.double.options = { polls: 2 };
    const type = await typeAt(running, QUEUE);
    const call = callOf("slow", { DelaySeconds: 3 });
    const first = await type.create(call);
    expect(first).toMatchObject({ state: "waiting", pollAfterSeconds: 0 });
    const waiting = {
      ...call,
      physicalId: idOf(first),
      handle: "handle" in first ? (first.handle ?? "") : "",
    };
    expect(await type.poll?.(waiting)).toMatchObject({ state: "waiting" });
    expect(await type.poll?.(waiting)).toMatchObject({
      state: "finished",
      physicalId: running.double.identifiers(QUEUE)[0],
      attributes: { Arn: liveOf(QUEUE)["Arn"] },
    });
  });

  const untilEnd = async (token: string): Promise<readonly [Answer, number]> => {
    const type = await typeAt(running, QUEUE);
    let answer = await type.create(callOf(token, {}));
    let polls = 0;
    for (; answer.state === "waiting" && polls < 100; polls += 1) {
      const { physicalId, handle = "" } = answer;
      const at = { ...callOf(token, {}), physicalId, handle };
      answer = (await type.poll?.(at)) ?? { state: "gone" };
    }
    return [answer, polls];
  };

  it("waits until its object can be seen", async () => {
    running.double.options = { polls: 1, hidden: UNSEEN_LOOKS_MAX };
    const [answer, polls] = await untilEnd("hidden");
    expect([answer.state, polls]).toEqual(["finished", UNSEEN_LOOKS_MAX + 1]);
    expect(running.double.made).toBe(1);
  });

  it("fails if its object goes before the first look, and a delete forgets it", async () => {
    running.double.options = { polls: 0, hidden: Number.POSITIVE_INFINITY };
    const [answer, polls] = await untilEnd("removed");
    const [id = ""] = running.double.identifiers(QUEUE);
    expect(answer).toMatchObject({
      state: "failed",
      physicalId: id,
      reason: expect.stringContaining(`AWS has made ${id} and cannot find it`),
    });
    expect(polls).toBe(UNSEEN_LOOKS_MAX);
    running.double.objects.clear();
    expect(await remove(QUEUE, id)).toEqual({ state: "gone" });
  });

  it("has no object if somebody else has the identifier", async () => {
    await create(BUCKET, "theirs", { BucketName: "one" });
    const answer = await create(BUCKET, "ours", { BucketName: "one" });
    expect(answer).toMatchObject({
      state: "failed",
      reason: expect.stringContaining("AlreadyExists"),
    });
    expect(answer).not.toHaveProperty("physicalId");
  });

  it("that was deleted while it ran takes nothing of somebody else's with it", async () => {
    await create(BUCKET, "theirs", { BucketName: "one" });
    running.double.options = { polls: 5 };
    await create(BUCKET, "ours", { BucketName: "one" });
    const request = [...running.double.requests.values()].at(-1)?.token ?? "";
    expect(await remove(BUCKET, `request:${request}`)).toEqual({ state: "gone" });
    expect(running.double.identifiers(BUCKET)).toEqual(["one"]);
  });

  it("is deleted at its end, if it runs when the delete begins", async () => {
    running.double.options = { polls: 2 };
    const id = idOf(await create(QUEUE, "running", {}));
    expect(await remove(QUEUE, id)).toMatchObject({ state: "throttled" });
    expect(await remove(QUEUE, id)).toMatchObject({ state: "waiting", physicalId: id });
    expect(running.double.objects.size).toBe(0);
  });

  it("begins another request where the handler was throttled", async () => {
    running.double.failNext = "Throttling";
    const type = await typeAt(running, QUEUE);
    const first = await type.create(callOf("busy", {}));
    expect(first).toMatchObject({ state: "finished" });
    expect(await type.create(callOf("busy", {}))).toEqual(first);
    expect(running.double.made).toBe(1);
  });
});

describe("after 36 hours", () => {
  it("finds its object by the tag, and nothing for another token", async () => {
    const made = await create(QUEUE, "old", { DelaySeconds: 1 });
    running.double.forgetTokens();
    const type = await typeAt(running, QUEUE);
    expect(await type.find?.(callOf("old", { DelaySeconds: 1 }))).toEqual(made);
    expect(await type.find?.(callOf("other", { DelaySeconds: 1 }))).toBe(null);
  });

  it("finds a named object by its identifier, and leaves one that is not its own", async () => {
    const made = await create(BUCKET, "old", { BucketName: "one" });
    running.double.forgetTokens();
    const type = await typeAt(running, BUCKET);
    expect(await type.find?.(callOf("old", { BucketName: "one" }))).toEqual(made);
    expect(await type.find?.(callOf("other", { BucketName: "one" }))).toBe(null);
  });

  it("asks the user where an object has no tag", async () => {
    const link = { RouteTableId: "r", SubnetId: "s" };
    await create("AWS::EC2::SubnetRouteTableAssociation", "old", link);
    const type = await typeAt(running, "AWS::EC2::SubnetRouteTableAssociation");
    await expect(type.find?.(callOf("old", link))).rejects.toThrow("cannot be told from others");
  });

  it("takes a null for a property that is not given", async () => {
    const link = { RouteTableId: "r", SubnetId: "s", Other: null };
    await create("AWS::EC2::SubnetRouteTableAssociation", "old", link);
    const type = await typeAt(running, "AWS::EC2::SubnetRouteTableAssociation");
    await expect(type.find?.(callOf("old", link))).rejects.toThrow("cannot be told from others");
  });
});

describe("an update", () => {
  it("writes what has changed, and what somebody else has changed", async () => {
    const before = { DelaySeconds: 1, VisibilityTimeout: 30, KmsMasterKeyId: "k" };
    const id = idOf(await create(QUEUE, "one", before));
    const [object] = [...running.double.objects.values()];
    if (object) object.model = { ...object.model, VisibilityTimeout: 99, MaximumMessageSize: 5 };
    await update(QUEUE, id, before, { DelaySeconds: 2, VisibilityTimeout: 30 });
    expect(liveOf(QUEUE)).toMatchObject({ DelaySeconds: 2, VisibilityTimeout: 30 });
    expect(liveOf(QUEUE)).toMatchObject({ MaximumMessageSize: 5 });
    expect(liveOf(QUEUE)).not.toHaveProperty("KmsMasterKeyId");
  });

  it("keeps Hearth's own tag when a template's tags change or go", async () => {
    const before = { Tags: [{ Key: "team", Value: "one" }] };
    const made = await create(QUEUE, "tagged", before);
    await update(QUEUE, idOf(made), before, {});
    expect(liveOf(QUEUE)["Tags"]).toEqual([expect.objectContaining({ Key: "hearth:operation" })]);
    const type = await typeAt(running, QUEUE);
    expect(await type.find?.(callOf("tagged", before))).toMatchObject({ state: "finished" });
  });

  it("writes a changed password, which AWS never shows", async () => {
    const before = { Engine: "mysql", MasterUserPassword: "first" };
    const id = idOf(await create(DATABASE, "db", before));
    await update(DATABASE, id, before, { ...before, MasterUserPassword: "second" });
    expect(liveOf(DATABASE)["MasterUserPassword"]).toBe("second");
    const calls = running.double.calls.get("UpdateResource");
    await update(DATABASE, id, before, before);
    expect(running.double.calls.get("UpdateResource")).toBe(calls);
  });

  it("takes back a password that a failed change may have written", async () => {
    const before = { Engine: "mysql", MasterUserPassword: "first" };
    const id = idOf(await create(DATABASE, "db", before));
    await update(DATABASE, id, before, { ...before, MasterUserPassword: "second" });
    expect(await update(DATABASE, id, before, before, true)).toMatchObject({ state: "finished" });
    expect(liveOf(DATABASE)["MasterUserPassword"]).toBe("first");
  });

  it("of an object that is gone makes another one", async () => {
    expect(await update(QUEUE, "none", {}, { DelaySeconds: 1 })).toEqual({ state: "gone" });
  });

  it("makes another one if the object goes while it runs", async () => {
    const id = idOf(await create(QUEUE, "one", { DelaySeconds: 1 }));
    running.double.options = { polls: 1 };
    const properties = { DelaySeconds: 2 };
    const first = await update(QUEUE, id, { DelaySeconds: 1 }, properties);
    const handle = first && "handle" in first ? (first.handle ?? "") : "";
    running.double.objects.clear();
    const call = callOf(`update ${id}`, properties, { action: "UPDATE" });
    const poll = (await typeAt(running, QUEUE)).poll?.({ ...call, physicalId: id, handle });
    expect(await poll).toEqual({ state: "gone" });
  });

  it("makes another object where AWS finds that it must", async () => {
    const id = idOf(await create(QUEUE, "one", {}));
    running.double.failNext = "NotUpdatable";
    expect(await update(QUEUE, id, {}, { DelaySeconds: 1 })).toEqual({ state: "replace" });
  });
});

describe("a check", () => {
  it("names the properties that somebody else has changed, not their values", async () => {
    const asked = { Name: "/one", Type: "String", Value: "1", Tags: { team: "one" } };
    const id = idOf(await create(PARAMETER, "one", asked));
    expect(await check(PARAMETER, id, asked)).toMatchObject({ state: "finished" });
    const [object] = [...running.double.objects.values()];
    if (object) object.model = { ...object.model, Value: "secret", Type: "StringList" };
    expect(await check(PARAMETER, id, asked)).toEqual({
      state: "failed",
      reason: "changed outside of the stack: Type, Value",
      health: "differs",
    });
  });

  it("says that no update brings back what is given at the creation only", async () => {
    const asked = { Name: "/one", Type: "String", Value: "1" };
    const id = idOf(await create(PARAMETER, "one", asked));
    const [object] = [...running.double.objects.values()];
    if (object) object.model = { ...object.model, Name: "/other", Value: "2" };
    expect(await check(PARAMETER, id, asked)).toEqual({
      state: "failed",
      reason: "changed outside of the stack: Name, Value",
      health: "beyond repair",
    });
  });

  it("of an imported object reads its attributes", async () => {
    await create(BUCKET, "theirs", { BucketName: "one" });
    const found = await check(BUCKET, "one", { BucketName: "another" }, false);
    expect(found).toMatchObject({ state: "finished", attributes: { BucketName: "one" } });
    expect(await check(BUCKET, "none", {}, false)).toEqual({ state: "gone" });
  });
});

describe("the declaration", () => {
  const typeOf = (name: string): Promise<CloudControlType> => typeAt(running, name);

  it("says which changes replace", async () => {
    const { properties } = await typeOf(BUCKET);
    expect(properties["BucketName"]?.updateAllowed).toBe(undefined);
    expect(properties["Tags"]?.updateAllowed).toBe(true);
    expect(properties).not.toHaveProperty("Arn");
    const lambda = await typeOf("AWS::EKS::Nodegroup");
    expect(lambda.properties["NodegroupName"]?.updateAllowed).toBe(undefined);
  });

  it("replaces by a part of a property too", async () => {
    const { mustReplace, properties } = await typeOf("AWS::EKS::Cluster");
    expect(properties["KubernetesNetworkConfig"]?.updateAllowed).toBe(true);
    const before = { KubernetesNetworkConfig: { IpFamily: "ipv4" } };
    expect(mustReplace(before, before)).toBe(false);
    expect(mustReplace(before, { KubernetesNetworkConfig: { IpFamily: "ipv6" } })).toBe(true);
    expect(mustReplace({}, { KubernetesNetworkConfig: { IpFamily: null } })).toBe(false);
  });

  it("says which objects have a name that a template can give", async () => {
    expect((await typeOf(BUCKET)).uniqueBy).toEqual(["BucketName"]);
    expect((await typeOf("AWS::EC2::SubnetCidrBlock")).uniqueBy).toBe(undefined);
    expect((await typeOf(QUEUE)).uniqueBy).toBe(undefined);
  });

  it("keeps what AWS never shows out of texts", async () => {
    const { properties } = await typeOf(DATABASE);
    expect(properties["MasterUserPassword"]?.secret).toBe(true);
  });
});

describe("the list for the doctor", () => {
  it("has what carries Hearth's tag, and not what its types of EC2 have made", async () => {
    const type = await typeAt(running, QUEUE);
    for (const token of ["one", "two", "three"]) await type.create(callOf(token, {}));
    const tags = [{ Key: "hearth:tenant", Value: "demo" }];
    await type.create(callOf("server's", { Tags: tags }));
    const own = running.double.identifiers(QUEUE).slice(0, 3);
    const foreign = [...running.double.objects.values()][2];
    Object.assign(foreign?.model ?? {}, { Tags: [{ Key: "hearth:operator", Value: "x" }] });
    const found = await type.marked?.("demo");
    expect(found).toEqual(own.slice(0, 2).map((physicalId) => ({ physicalId })));
  });

  it("is none where the type takes no tags", async () => {
    expect((await typeAt(running, "AWS::SNS::Subscription")).marked).toBeUndefined();
  });
});
