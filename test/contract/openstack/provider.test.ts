/**
 * The provider of OpenStack on the double. Each request is spoilt once here, and in each of four
 * ways by `npm run lane -- openstack`, on the double or on real services.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import { readAnswer } from "#provider/read-answer.ts";
import { type DoubleStage, startDoubleStage } from "../../openstack/double-stage.ts";
import {
  CASES,
  leftOver,
  playKit,
  playSpoilt,
  SUBNET_CASE,
  typeAt,
  withFixture,
  withOne,
} from "../../openstack/provider-play.ts";
import { callOf } from "../provider-call.ts";

const ALL = CASES({ network: "", group: "" });
const TYPES = ALL.map(({ type }) => type);
const STEPS = ALL.map(({ type, changed }) => [type, changed === undefined ? 2 : 3] as const);
const MS_MAX = 120_000;

describe("the provider on a double of OpenStack", () => {
  let stage: DoubleStage;
  beforeEach(async () => {
    stage = await startDoubleStage();
  });
  afterEach(async () => {
    await stage.double.stop();
  });

  const play = async (type: string, how: "kit" | "faults") =>
    withFixture(stage, async (fixture) => {
      const found = CASES(fixture).find((one) => one.type === type);
      if (found === undefined) throw new Error(`no case of ${type}`);
      return how === "kit"
        ? playKit(stage, found)
        : (await playSpoilt(stage, found, { inTurn: true })).results;
    });

  it.each(TYPES)("keeps the contract of plug-ins with %s", { timeout: MS_MAX }, async (type) => {
    const results = await play(type, "kit");
    expect(results.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(results.length).toBeGreaterThan(9);
    expect(await leftOver(stage)).toEqual([]);
  });

  it.each(STEPS)(
    "makes one %s whichever request is spoilt",
    { timeout: MS_MAX },
    async (...given) => {
      const [type, steps] = given;
      const results = await play(type, "faults");
      expect(results.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
      expect(results).toHaveLength(steps);
      expect(await leftOver(stage)).toEqual([]);
    },
  );

  it("resizes a server whose update comes again meanwhile", async () => {
    const name = "OS::Nova::Server";
    await withFixture(stage, async (fixture) => {
      const server = present(
        CASES(fixture).find(({ type }) => type === name),
        "a case of a server",
      );
      const { properties: previousProperties } = server;
      const type = typeAt(stage, name);
      await withOne(stage, server, async (physicalId) => {
        const properties = { ...previousProperties, flavor: "m1.small" };
        const given = { action: "UPDATE", physicalId, previousProperties, properties } as const;
        const call = { ...callOf("resize", given), physicalId };
        const read = (answer: unknown) => readAnswer(type, call, answer);
        expect(read(await type.update?.(call)).state).toBe("waiting");
        let answer = read(await type.update?.(call));
        while (answer.state === "waiting") {
          const handle = answer.handle ?? call.token;
          answer = read(await type.poll?.({ ...call, handle }));
        }
        expect(answer.state).toBe("finished");
      });
    });
  });

  it("does the same with a subnet, whose net has none yet", { timeout: MS_MAX }, async () => {
    const net = { type: "OS::Neutron::Net", properties: { name: "empty" } };
    const results = await withOne(stage, net, async (network) => [
      ...(await playKit(stage, SUBNET_CASE(network))),
      ...(await playSpoilt(stage, SUBNET_CASE(network), { inTurn: true })).results,
    ]);
    expect(results.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(results.length).toBeGreaterThan(12);
    expect(await leftOver(stage)).toEqual([]);
  });
});
