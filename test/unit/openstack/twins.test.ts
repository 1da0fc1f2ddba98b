/** Two servers exist for one operation, because a request was slower than its repetition. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { callOf } from "../../contract/provider-call.ts";
import { make } from "../../contract/spoilt-operations.ts";
import { all, put } from "../../openstack/double/state.ts";
import { type DoubleStage, startDoubleStage } from "../../openstack/double-stage.ts";
import { typeAt } from "../../openstack/provider-play.ts";

let stage: DoubleStage;
beforeEach(async () => {
  stage = await startDoubleStage();
});
afterEach(async () => {
  await stage.double.stop();
});

const call = callOf("slow", { properties: { image: "cirros", flavor: "m1.tiny" } });

it.each(["ERROR", "ACTIVE", "BUILD"])("one is kept where the other one is %s", async (status) => {
  const { state } = stage.double;
  const type = typeAt(stage, "OS::Nova::Server");
  await type.create(call);
  const [server] = all(state, "servers").values();
  const members = { ...server?.members, status, created: "1999-01-01T00:00:00Z" };
  put(state, "servers", {
    project: "demo",
    members: { ...members, fault: { message: "the port is taken" } },
  });
  // Hearth repeats a creation like this.
  const found = async () => (await type.find?.(call)) ?? type.create(call);
  const answer = await make({ ...type, create: found }, call);
  expect(answer).toMatchObject({ state: "finished" });
  const left = [...all(state, "servers").values()].filter(
    (one) => one.members["OS-EXT-STS:task_state"] !== "deleting",
  );
  expect(left.map((one) => one.members["status"])).toEqual(["ACTIVE"]);
});
