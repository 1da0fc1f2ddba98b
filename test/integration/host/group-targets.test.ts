/**
 * A group after each of its operations, over HTTP: each member has the target's definition, a
 * failed update leaves nothing behind, and no members in service are lost.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GroupHost, startGroupHost } from "./group-host.ts";
import type { GroupTemplate } from "./group-templates.ts";

let host: GroupHost;
beforeAll(async () => {
  host = await startGroupHost();
});
afterAll(() => host.stop());

const times = (count: number, text: string): readonly string[] => Array(count).fill(text);

interface Roll {
  readonly from: number;
  readonly to: number;
  readonly in_service: number;
  readonly batch: number;
}

const ROLLS: readonly Roll[] = [
  { from: 2, to: 2, in_service: 2, batch: 1 },
  { from: 4, to: 4, in_service: 4, batch: 2 },
  { from: 4, to: 4, in_service: 3, batch: 2 },
  { from: 2, to: 1, in_service: 1, batch: 1 },
  { from: 4, to: 1, in_service: 1, batch: 1 },
];

const ROLLED: readonly GroupTemplate[] = [
  "OS::Heat::AutoScalingGroup",
  "OS::Heat::ResourceGroup",
  "OS::Heat::InstanceGroup",
  "AWS::AutoScaling::AutoScalingGroup",
];

describe.each(ROLLED)("a roll of %s", (template) => {
  it.each(ROLLS)(
    "from $from to $to members with $in_service in service, $batch at a time, changes all",
    async ({ from, to, ...policy }) => {
      const name = `roll-${ROLLED.indexOf(template)}-${from}${to}${policy.in_service}`;
      const stack = await host.create(name, template, { size: from, ...policy });
      const changes = { size: to, text: "new", image: "2", ...policy };
      expect(await stack.update(changes)).toBe("UPDATE_COMPLETE");
      expect(await stack.texts()).toEqual(times(to, "new"));
    },
  );
});

it.each(ROLLED)(
  "%s of six that is overtaken by one of a single member ends with that",
  async (template) => {
    const name = `six-${ROLLED.indexOf(template)}`;
    const policy = { in_service: 1, batch: 1 };
    const stack = await host.create(name, template, { size: 6, text: "a", ...policy });
    await stack.send({ size: 6, text: "b", ...policy });
    await stack.send({ size: 1, text: "c", ...policy });
    expect(await stack.ends()).toBe("UPDATE_COMPLETE");
    expect(await stack.texts()).toEqual(["c"]);
  },
);

describe.each([
  ["OS::Heat::AutoScalingGroup", 1],
  ["OS::Heat::InstanceGroup", 1],
  ["OS::Heat::ResourceGroup", 2],
] as const)("a repair of %s after a failed roll", (template, in_service) => {
  it("completes at once, and gives nobody the failed definition", async () => {
    const name = `repair-${ROLLED.indexOf(template)}`;
    const stack = await host.create(name, template, { size: 3, in_service });
    const broken = { size: 3, in_service, text: "broken", fail: true };
    expect(await stack.update(broken)).toBe("UPDATE_FAILED");
    expect(await stack.update({ size: 1, in_service, text: "fixed" })).toBe("UPDATE_COMPLETE");
    expect(await stack.texts()).toEqual(["fixed"]);
  });
});

describe("the attributes of a scaled group", () => {
  it("name the members that serve, also after a failed update", async () => {
    const template = "a scaled OS::Heat::AutoScalingGroup";
    const stack = await host.create("present", template, { in_service: 0 });
    await stack.scale(6);
    expect(await stack.output("size")).toBe(6);
    const broken = { in_service: 0, text: "broken", fail: true };
    expect(await stack.update(broken)).toBe("UPDATE_FAILED");
    expect(await stack.output("size")).toBe(5);
    expect(await stack.output("members")).toEqual(times(5, "old"));
    expect(await stack.output("refs")).toHaveLength(5);
  });
});

describe.each([
  ["a scaled OS::Heat::AutoScalingGroup", 6, 6],
  ["a scaled OS::Heat::AutoScalingGroup", 6, 2],
  ["a scaled AWS::AutoScaling::AutoScalingGroup", 5, 5],
  ["a scaled AWS::AutoScaling::AutoScalingGroup", 5, 3],
] as const)("%s of %i members, %i of which a failed update has broken", (template, size, batch) => {
  const kind = template.includes("AWS") ? "aws" : "heat";
  const policy = { in_service: 0, batch };
  const broken = { ...policy, text: "broken", fail: true };

  it("has all of them after a rollback", async () => {
    const stack = await host.create(`back-${kind}-${batch}`, template, policy);
    await stack.scale(size);
    expect(await stack.texts()).toEqual(times(size, "old"));
    const ended = await stack.update(broken, { disable_rollback: false });
    expect(ended).toBe("ROLLBACK_COMPLETE");
    expect(await stack.texts()).toEqual(times(size, "old"));
  });

  it("has all of them after a repair", async () => {
    const stack = await host.create(`fixed-${kind}-${batch}`, template, policy);
    await stack.scale(size);
    expect(await stack.update(broken)).toBe("UPDATE_FAILED");
    expect(await stack.update({ ...policy, text: "fixed" })).toBe("UPDATE_COMPLETE");
    expect(await stack.texts()).toEqual(times(size, "fixed"));
  });
});

describe("a rollback of an update that changes the size", () => {
  it("brings back the size that signals have made", async () => {
    const policy = { in_service: 0, batch: 9 };
    const template = "OS::Heat::AutoScalingGroup";
    const stack = await host.create("sized", template, { size: 2, ...policy });
    await stack.scale(5);
    const changes = { size: 8, text: "new", fails_after: true, ...policy };
    expect(await stack.update(changes, { disable_rollback: false })).toBe("ROLLBACK_COMPLETE");
    expect(await stack.texts()).toEqual(times(5, "old"));
  });

  it.each([
    ["OS::Heat::AutoScalingGroup", "refs"],
    ["OS::Heat::InstanceGroup", "list"],
    ["AWS::AutoScaling::AutoScalingGroup", "list"],
  ] as const)("keeps the members of %s that were there before it", async (template, output) => {
    const policy = { in_service: 0, batch: 9 };
    const stack = await host.create(`kept-${ROLLED.indexOf(template)}`, template, {
      size: 2,
      ...policy,
    });
    const before = await stack.output(output);
    const changes = { size: 4, text: "new", fails_after: true, ...policy };
    expect(await stack.update(changes, { disable_rollback: false })).toBe("ROLLBACK_COMPLETE");
    expect(await stack.texts()).toEqual(times(2, "old"));
    expect(await stack.output(output)).toEqual(before);
  });

  it("brings back the size of a group in a member that it has made anew", async () => {
    const template = "OS::Heat::AutoScalingGroup in another one";
    const stack = await host.create("inner", template, { size: 1, inner: 1, in_service: 0 });
    const changes = { size: 1, inner: 3, text: "new", fails_after: true, in_service: 1 };
    expect(await stack.update(changes, { disable_rollback: false })).toBe("ROLLBACK_COMPLETE");
    expect(await stack.texts()).toEqual(["old"]);
  });

  it("brings back the size that an update without changes has given", async () => {
    const policy = { in_service: 0, batch: 9 };
    const stack = await host.create("again", "OS::Heat::AutoScalingGroup", { size: 1, ...policy });
    await stack.scale(4);
    expect(await stack.update({ size: 1, ...policy })).toBe("UPDATE_COMPLETE");
    expect(await stack.texts()).toEqual(["old"]);
    const changes = { size: 1, text: "new", fails_after: true, ...policy };
    expect(await stack.update(changes, { disable_rollback: false })).toBe("ROLLBACK_COMPLETE");
    expect(await stack.texts()).toEqual(["old"]);
  });

  it("does not keep what the failed update's least size has added", async () => {
    const policy = { in_service: 0, batch: 9 };
    const template = "a scaled OS::Heat::AutoScalingGroup";
    const stack = await host.create("least", template, policy);
    const changes = { minimum: 4, fails_after: true, ...policy };
    expect(await stack.update(changes, { disable_rollback: false })).toBe("ROLLBACK_COMPLETE");
    expect(await stack.texts()).toEqual(["old"]);
  });
});
