import { describe, expect, it } from "vitest";
import { NESTED_LEVELS_MAX, openNestedPaths } from "#client/nested-paths.ts";
import { EventShape, ResourceShape, type WireEvent } from "#client/wire.ts";
import { NESTED_DEPTH_MAX } from "#lib/stack/limits.ts";

const TOP = { id: "id-top" };
const hrefOf = (stack: string): string => `http://hearth.test/v1/demo/stacks/${stack}/id-${stack}`;

const event = (stack: string, name: string, physicalId = "", status = "IN_PROGRESS"): WireEvent =>
  EventShape.parse({
    id: `${name} ${status}`,
    event_time: "2026-01-01T00:00:00Z",
    resource_name: name,
    resource_status: `CREATE_${status}`,
    physical_resource_id: physicalId,
    links: [{ rel: "stack", href: hrefOf(stack) }],
  });

const events = [
  event("top", "top", "id-top"),
  event("top", "web", "top-web-1"),
  event("top-web-1", "top-web-1", "id-top-web-1"),
  event("top-web-1", "disk", "top-web-1-disk-2"),
  event("top-web-1-disk-2", "top-web-1-disk-2", "id-top-web-1-disk-2"),
  event("top-web-1-disk-2", "part", "top-web-1-disk-2-part-3"),
  event("top", "web", "id-top-web-1", "COMPLETE"),
];

it("lists ask for more levels than a host nests", () => {
  expect(NESTED_LEVELS_MAX).toBeGreaterThan(NESTED_DEPTH_MAX);
});

describe("the events of nested stacks", () => {
  it("have the path of the resource; a stack's own event has the path of its resource", () => {
    const paths = openNestedPaths(TOP);
    paths.learnEvents(events);
    expect(events.map(paths.ofEvent)).toEqual([
      "top",
      "web",
      "web",
      "web/disk",
      "web/disk",
      "web/disk/part",
      "web",
    ]);
  });

  it("get their paths one by one as they arrive", () => {
    const paths = openNestedPaths(TOP);
    const shown = events.map((one) => {
      paths.learnEvents([one]);
      return paths.ofEvent(one);
    });
    expect(shown.slice(3, 6)).toEqual(["web/disk", "web/disk", "web/disk/part"]);
  });

  it("use the name of a stack whose resource is unknown", () => {
    const [, , , , , part] = events;
    expect(part && openNestedPaths(TOP).ofEvent(part)).toBe("top-web-1-disk-2/part");
  });

  it("have an end, even if a stack claims to own itself", () => {
    const paths = openNestedPaths(TOP);
    const [odd, even] = [event("odd", "a", "id-even"), event("even", "b", "id-odd")];
    paths.learnEvents([odd, even]);
    expect(paths.ofEvent(odd)).toContain("b/a/b/a");
  });
});

describe("the resources of nested stacks", () => {
  it("have the path from the top at any depth", () => {
    const resource = (stack: string, name: string, nested?: string) =>
      ResourceShape.parse({
        resource_name: name,
        resource_type: "OS::Heat::None",
        resource_status: "CREATE_COMPLETE",
        links: [
          { rel: "stack", href: hrefOf(stack) },
          ...(nested === undefined ? [] : [{ rel: "nested", href: hrefOf(nested) }]),
        ],
      });
    const resources = [
      resource("top", "web", "web-1"),
      resource("web-1", "disk", "disk-2"),
      resource("disk-2", "part"),
    ];
    const paths = openNestedPaths(TOP);
    paths.learnResources(resources);
    expect(resources.map(paths.ofResource)).toEqual(["web", "web/disk", "web/disk/part"]);
  });
});
