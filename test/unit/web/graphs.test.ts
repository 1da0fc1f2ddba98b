import { describe, expect, it } from "vitest";
import type { WireResource } from "#client/wire.ts";
import { drawingOf, placesOf } from "../../../web/src/graph-drawing.ts";
import { depthsOf, layOut } from "../../../web/src/graph-layout.ts";
import { NODE_HEIGHT, NODE_WIDTH } from "../../../web/src/graph-layout-shape.ts";
import { blockersOf, graphOf } from "../../../web/src/graph-model.ts";
import { fitted, zoomed } from "../../../web/src/view-box.ts";

const resource = (name: string, status: string, requiredBy: string[] = []): WireResource => ({
  resource_name: name,
  resource_type: "OS::Heat::None",
  resource_status: status,
  required_by: requiredBy,
});

const namesOf = (nodes: readonly { name: string }[]) => nodes.map(({ name }) => name);

const waitsOf = (resources: readonly WireResource[], name: string, stackStatus: string) => {
  const graph = graphOf(resources);
  const node = graph.get(name);
  return node === undefined ? null : namesOf(blockersOf(graph, node, stackStatus));
};

describe("what a resource waits for", () => {
  it("is what it requires, until that is done", () => {
    const some = (db: string) => [resource("db", db, ["app"]), resource("app", "INIT_COMPLETE")];
    expect(waitsOf(some("CREATE_IN_PROGRESS"), "app", "CREATE_IN_PROGRESS")).toEqual(["db"]);
    expect(waitsOf(some("CREATE_COMPLETE"), "app", "CREATE_IN_PROGRESS")).toEqual([]);
    expect(waitsOf(some("CREATE_IN_PROGRESS"), "app", "CREATE_FAILED")).toEqual([]);
  });

  it("goes the other way in a delete", () => {
    const some = [
      resource("db", "CREATE_COMPLETE", ["app"]),
      resource("app", "DELETE_IN_PROGRESS"),
    ];
    expect(waitsOf(some, "db", "DELETE_IN_PROGRESS")).toEqual(["app"]);
    expect(waitsOf(some, "app", "DELETE_IN_PROGRESS")).toEqual([]);
  });
});

const chain = (length: number, width = 1) =>
  Array.from({ length }, (_, at) => ({
    name: `n${at}`,
    requires: at < width ? [] : [`n${at - width}`],
  }));

describe("a layout", () => {
  it.each([30, 10_000])(
    "puts %i nodes beside each other and right of what they require",
    (count) => {
      const nodes = chain(count, 100);
      const places = placesOf(layOut({ nodes }));
      expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(count);
      for (const { name, requires } of nodes) {
        for (const below of requires) {
          expect(places.get(below)?.x).toBeLessThan(places.get(name)?.x ?? 0);
        }
      }
    },
  );

  it("takes a chain of ten thousand, and a circle", () => {
    expect(depthsOf({ nodes: chain(10_000) }).get("n9999")).toBe(9_999);
    const circle = [
      { name: "a", requires: ["b"] },
      { name: "b", requires: ["a"] },
    ];
    expect(depthsOf({ nodes: circle }).size).toBe(2);
  });
});

describe("a drawing", () => {
  const screen = { width: 1_000, height: 600 };
  const resources = Array.from({ length: 2_000 }, (_, at) =>
    resource(`n${at}`, "CREATE_COMPLETE", at < 1_900 ? [`n${at + 100}`] : []),
  );
  const graph = graphOf(resources);
  const layout = layOut({
    nodes: [...graph.values()].map((node) => ({ ...node, requires: [...node.requires] })),
  });
  const places = placesOf(layout);

  it("is a path for each tone from far away, and single nodes near by", () => {
    const far = fitted(layout, screen);
    const whole = drawingOf(graph, places, far, screen);
    expect([whole.singles.length, whole.tones.length]).toEqual([0, 1]);
    const near = drawingOf(graph, places, { x: 0, y: 0, scale: 1 }, screen);
    expect(near.tones).toEqual([]);
    const most = (screen.width / NODE_WIDTH + 2) * (screen.height / NODE_HEIGHT + 2);
    expect(near.singles.length).toBeGreaterThan(0);
    expect(near.singles.length).toBeLessThan(most);
  });

  it("keeps the point in its place that one zooms at", () => {
    const view = { x: 10, y: 20, scale: 0.5 };
    const next = zoomed(view, 2, { x: 300, y: 100 });
    expect([next.x + 300 / next.scale, next.y + 100 / next.scale]).toEqual([610, 220]);
  });
});
