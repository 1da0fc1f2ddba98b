import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkProvider } from "#provider/kit/check-provider.ts";
import type { JsonObject } from "#provider/provider.ts";
import {
  FAULTS,
  type Fault,
  type RunningDouble,
  startDouble,
} from "../../cloud-control/cloud-control-double.ts";
import { pluginAt } from "../../cloud-control/provider-at.ts";

interface KitCase {
  readonly type: string;
  readonly properties: JsonObject;
  readonly changed?: JsonObject;
  readonly replacement?: JsonObject;
  readonly failing?: JsonObject;
}

const KEY: JsonObject = { Description: "a key", KeyPolicy: { Version: "2012-10-17" } };

const CASES: readonly KitCase[] = [
  {
    type: "AWS::SQS::Queue",
    properties: { DelaySeconds: 1, Tags: [{ Key: "team", Value: "one" }] },
    changed: { DelaySeconds: 2 },
  },
  {
    type: "AWS::S3::Bucket",
    properties: { BucketName: "one" },
    changed: { BucketName: "one", VersioningConfiguration: { Status: "Enabled" } },
    replacement: { BucketName: "two" },
  },
  { type: "AWS::KMS::Key", properties: KEY, changed: { ...KEY, Description: "another" } },
  {
    type: "AWS::SSM::Parameter",
    properties: { Name: "/app/one", Type: "String", Value: "1", Tags: { team: "one" } },
    changed: { Name: "/app/one", Type: "String", Value: "2" },
    replacement: { Name: "/app/two", Type: "String", Value: "1" },
    failing: { Name: "/app/three", Type: "String" },
  },
  {
    type: "AWS::EC2::SubnetRouteTableAssociation",
    properties: { RouteTableId: "r", SubnetId: "s" },
  },
];

let running: RunningDouble;
beforeEach(async () => {
  running = await startDouble({ polls: 0 });
});
afterEach(() => running.stop());

const wrongIn = async ({ type, ...given }: KitCase): Promise<readonly string[]> => {
  const results = await checkProvider({
    ...given,
    type,
    load: () => pluginAt(running, type),
    list: async () => running.double.identifiers(type),
  });
  return results.flatMap(({ name, verdict, text, calls }) =>
    verdict === "failed" ? [`${name}: ${text}`, ...calls] : [],
  );
};

const expectOneEach = (): void => {
  expect([...running.double.effects.values()].filter((count) => count !== 1)).toEqual([]);
  expect(running.double.objects.size).toBe(0);
};

describe("the contract kit", () => {
  it.each(CASES)("passes for $type", async (one) => {
    expect(await wrongIn(one)).toEqual([]);
    expectOneEach();
  });

  it.each(FAULTS)("passes where calls are %s", async (fault) => {
    running.double.options = {
      polls: 0,
      fault: (call): Fault | null => (call % 4 === 1 ? fault : null),
    };
    expect(await wrongIn(CASES[0] ?? { type: "", properties: {} })).toEqual([]);
    expect(running.double.faults.get(fault)).toBeGreaterThan(0);
    expectOneEach();
  });
});
