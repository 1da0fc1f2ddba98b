import { describe, expect, it } from "vitest";
import { awsAccounts } from "#functions/aws/aws-accounts.ts";
import { inertObjects } from "#lib/adapters/aws/fake-provider.ts";
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import type { OperationAction } from "#lib/model/action.ts";
import type { Progress } from "#lib/ports/resource-type.ts";
import { resourceTypes } from "#lib/resources/registry.ts";
import { aCall, aRow, call, contextOf, type World, world } from "./world.ts";

/** As in a deployment with neither test types nor roles. */
const open = (): World => {
  const at = world();
  const { ports: engine } = at;
  const backEnds = { engine, random: memoryRandom(1), fakeProvider: inertObjects() };
  const provided = awsAccounts({}, "prod", at.clock);
  const types = resourceTypes({ ...backEnds, hasTestTypes: false }, provided);
  return { ...at, ports: { ...engine, resourceTypes: types } };
};

const act = async (
  type: string,
  action: OperationAction,
  physicalResourceId: string | null,
): Promise<Progress> => {
  const at = open();
  const row = { ...aRow(type), physicalResourceId };
  return call(at, row, await aCall(at, row, action));
};

describe("a type for tests, in a deployment without them", () => {
  it("is in no list, and refused with the setting that brings it", async () => {
    const { resourceTypes: types } = open().ports;
    const tests = types.names().filter((name) => /TestResource|Hearth::Test/.test(name));
    expect(tests).toEqual([]);
    for (const name of [
      "OS::Heat::TestResource",
      "Hearth::Test::Scenario",
      "Hearth::Test::Tokenless",
    ]) {
      expect((await types.get(name))?.withoutProvider).toContain("the setting testTypes=yes");
    }
  });

  it("does not succeed in silence when what it has made is deleted", async () => {
    expect(await act("Hearth::Test::Scenario", "DELETE", "object-1")).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(/can delete its object, which stays\..* testTypes=yes/),
    });
    expect(await act("Hearth::Test::Scenario", "DELETE", null)).toEqual({
      state: "finished",
      physicalResourceId: null,
    });
  });

  it("leaves rehearsals as they were: a stub needs no table", async () => {
    const made = await act("Hearth::Stub::OS::Neutron::Net", "CREATE", null);
    expect(made).toMatchObject({
      state: "finished",
      physicalResourceId: expect.stringMatching(/^object-\w{24}$/),
    });
    expect(await act("Hearth::Stub::OS::Neutron::Net", "DELETE", "object-1")).toMatchObject({
      state: "finished",
    });
  });
});

describe("a type of AWS, in a deployment whose roles were taken away", () => {
  it("does not lose an object in silence, although Heat has a type of this name too", async () => {
    expect(await act("AWS::S3::Bucket", "DELETE", "my-files")).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(/can delete its object, which stays\..* the setting awsRoles/),
    });
  });

  it("does not end in silence an operation that waits", async () => {
    const poll = async (action: OperationAction) => {
      const at = open();
      const row = { ...aRow("OS::Cinder::Volume"), physicalResourceId: "vol-1" };
      const asked = await aCall(at, row, action);
      const type = await at.ports.resourceTypes.get(row.type);
      return type?.lifecycle.checkComplete?.(asked, "asked", contextOf(at, asked));
    };
    expect(await poll("CREATE")).toMatchObject({ state: "failed" });
    expect(await poll("DELETE")).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(/which stays\..* or with openStackSecrets/),
    });
  });

  it("says which setting it needs if only AWS has it", async () => {
    const { resourceTypes: types } = open().ports;
    expect(await types.get("AWS::SQS::Queue")).toBe(null);
    expect(types.whyMissing?.("AWS::SQS::Queue")).toContain("the setting awsRoles");
    expect(types.whyMissing?.("My::File") ?? null).toBe(null);
  });
});
