import { describe, expect, it } from "vitest";
import type { WireResource } from "#client/wire.ts";
import { depthsOf } from "../../../apps/console/src/graph-depths.ts";
import { drawingOf, placesOf } from "../../../apps/console/src/graph-drawing.ts";
import { layOut } from "../../../apps/console/src/graph-layout.ts";
import { NODE_HEIGHT, NODE_WIDTH } from "../../../apps/console/src/graph-layout-shape.ts";
import { blockersOf, graphOf } from "../../../apps/console/src/graph-model.ts";
import { layoutRequestOf } from "../../../apps/console/src/graph-request.ts";
import { treeOf } from "../../../apps/console/src/graph-tree.ts";
import { fitted, zoomed } from "../../../apps/console/src/view-box.ts";

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
    id: `n${at}`,
    requires: at < width ? [] : [`n${at - width}`],
    members: [],
  }));

const TOP = { stack_name: "top", id: "top-id" };
const INNER = { stack_name: "inner", id: "inner-id" };
const hrefOf = ({ id }: { id: string }, name: string) => `#${id}/${name}`;

const linkTo = ({ stack_name: name, id }: typeof TOP, rel: string) => ({
  rel,
  href: `http://host/v1/p/stacks/${name}/${id}`,
});
const inStack =
  (stack: typeof TOP, ...more: { rel: string; href: string }[]) =>
  (one: WireResource): WireResource => ({ ...one, links: [linkTo(stack, "stack"), ...more] });

describe("the tree of a stack", () => {
  const group = inStack(TOP, linkTo(INNER, "nested"))(resource("group", "CREATE_COMPLETE"));
  const members = [
    resource("0", "CREATE_COMPLETE", ["1"]),
    resource("1", "CREATE_FAILED"),
    resource("2", "CREATE_COMPLETE"),
  ].map(inStack(INNER));
  const tree = (open: readonly string[]) =>
    treeOf([group, ...members], TOP, { open: new Set(open), hrefOf });

  it("counts by state what a folded node holds, and shows it once it is unfolded", () => {
    expect([...tree([]).keys()]).toEqual(["group"]);
    expect([...(tree([]).get("group")?.fold?.counts ?? [])]).toEqual([
      ["good", 2],
      ["bad", 1],
    ]);
    const open = tree(["group"]);
    expect([...open.keys()]).toEqual(["group", "group/0", "group/1", "group/2"]);
    expect(open.get("group/1")).toMatchObject({
      parent: "group",
      requires: ["group/0"],
      href: "#inner-id/1",
    });
  });

  it("stands around what it holds, without an overlap", () => {
    const boxes = placesOf(layOut(layoutRequestOf(tree(["group"]))));
    const frame = boxes.get("group");
    const inner = ["group/0", "group/1", "group/2"].flatMap((id) => boxes.get(id) ?? []);
    expect(inner.length).toBe(3);
    for (const { x, y } of inner) {
      expect(Math.abs(x - (frame?.x ?? 0))).toBeLessThan((frame?.width ?? 0) / 2);
      expect(Math.abs(y - (frame?.y ?? 0))).toBeLessThan((frame?.height ?? 0) / 2);
    }
    expect(new Set(inner.map(({ x, y }) => `${x} ${y}`)).size).toBe(3);
  });

  it("has the old version of a resource beside the one that replaces it", () => {
    const row = { physical_resource_id: null, replaces: null, replaced_by: null };
    const rows = [
      { ...row, id: "new", status: "CREATE_COMPLETE", stands: true, replaces: "old" },
      { ...row, id: "old", status: "DELETE_IN_PROGRESS", stands: false, replaced_by: "new" },
    ];
    const one = { ...inStack(TOP)(resource("db", "CREATE_COMPLETE", ["app"])), rows };
    const app = inStack(TOP)(resource("app", "UPDATE_COMPLETE"));
    const graph = treeOf([one, app], TOP, { open: new Set(), hrefOf });
    expect(graph.get("db")?.follows).toBe("db#old");
    const old = graph.get("db#old");
    expect([old?.name, old?.look.words, old?.look.marks[0]?.words]).toEqual([
      "db",
      "Delete in progress",
      "an old version",
    ]);
    const places = placesOf(layOut(layoutRequestOf(graph)));
    expect(places.get("db#old")?.x).toBeLessThan(places.get("db")?.x ?? 0);
  });
});

describe("a layout", () => {
  it("makes a screen-like grid of nodes without edges", () => {
    const nodes = Array.from({ length: 1_000 }, (_, at) => ({
      id: `m${at}`,
      requires: [],
      members: [],
    }));
    const { width, height } = layOut({ nodes, isUpright: false });
    expect(width / height).toBeGreaterThan(1);
    expect(width / height).toBeLessThan(2.5);
  });

  it.each([30, 10_000])(
    "puts %i nodes beside each other, and behind what they require: to the right, or below",
    (count) => {
      const nodes = chain(count, 100);
      for (const isUpright of [false, true]) {
        const depth = (id: string): number => places.get(id)?.[isUpright ? "y" : "x"] ?? 0;
        const places = placesOf(layOut({ nodes, isUpright }));
        expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(count);
        for (const { id, requires } of nodes) {
          for (const below of requires) expect(depth(below)).toBeLessThan(depth(id));
        }
      }
    },
  );

  it("takes a chain of ten thousand, and a circle", () => {
    expect(depthsOf(chain(10_000)).get("n9999")).toBe(9_999);
    const circle = [
      { id: "a", requires: ["b"] },
      { id: "b", requires: ["a"] },
    ];
    expect(depthsOf(circle).size).toBe(2);
  });
});

describe("an upright layout", () => {
  it("is narrow, and its edges lead from the bottom of a node to the top of the next", () => {
    const names = ["a", "b", "c"];
    const graph = treeOf(
      names.map((name, at) =>
        inStack(TOP)(resource(name, "CREATE_COMPLETE", names.slice(at + 1, at + 2))),
      ),
      TOP,
      { open: new Set(), hrefOf },
    );
    const layout = layOut(layoutRequestOf(graph, true));
    expect(layout.width).toBe(NODE_WIDTH);
    const laid = { places: placesOf(layout), isUpright: layout.isUpright };
    const { edges } = drawingOf(graph, laid, { x: 0, y: 0, scale: 1 }, { width: 390, height: 600 });
    const [a, b] = [laid.places.get("a"), laid.places.get("b")];
    const middle = Math.round(a?.x ?? 0);
    expect(edges.startsWith(`M${middle} ${Math.round((a?.y ?? 0) + NODE_HEIGHT / 2)}C`)).toBe(true);
    expect(edges).toContain(`,${middle} ${Math.round((b?.y ?? 0) - NODE_HEIGHT / 2)}M`);
  });
});

describe("an edge over several columns", () => {
  it("passes between the nodes that stand in its way", () => {
    const ids = ["a", "b", "c", "d"];
    const nodes = ids.map((id, at) => ({
      id,
      requires: id === "d" ? ["c", "a"] : ids.slice(Math.max(0, at - 1), at),
      members: [],
    }));
    const places = placesOf(layOut({ nodes, isUpright: false }));
    const bends = places.get("d")?.bends.find(({ from }) => from === "a")?.points ?? [];
    expect(bends.length).toBeGreaterThan(1);
    for (const id of ["b", "c"]) {
      const box = places.get(id);
      const beside = bends.filter(({ x }) => Math.abs(x - (box?.x ?? 0)) < NODE_WIDTH / 2);
      expect(beside.length).toBeGreaterThan(0);
      for (const { y } of beside) {
        expect(Math.abs(y - (box?.y ?? 0))).toBeGreaterThan(NODE_HEIGHT / 2);
      }
    }
    expect(bends.toSorted((one, other) => one.x - other.x)).toEqual(bends);
  });
});

describe("a drawing", () => {
  const screen = { width: 1_000, height: 600 };
  const resources = Array.from({ length: 2_000 }, (_, at) =>
    resource(`n${at}`, "CREATE_COMPLETE", at < 1_900 ? [`n${at + 100}`] : []),
  );
  const graph = treeOf(resources.map(inStack(TOP)), TOP, { open: new Set(), hrefOf });
  const layout = layOut(layoutRequestOf(graph));
  const places = placesOf(layout);

  it("is a path for each tone from far away, and single nodes near by", () => {
    const far = fitted(layout, screen);
    const whole = drawingOf(graph, { places, isUpright: false }, far, screen);
    expect([whole.singles.length, whole.tones.length]).toEqual([0, 1]);
    const near = drawingOf(graph, { places, isUpright: false }, { x: 0, y: 0, scale: 1 }, screen);
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
