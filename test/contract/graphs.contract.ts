import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { GraphPart } from "#lib/model/graph.ts";
import type { Store } from "#lib/ports/store.ts";
import { eachTest, type Open } from "./opened.ts";
import { aGraph, aGraphHeader, aGraphPart, NOW } from "./records.ts";

const graphs = (open: Open<Store>): void => {
  const store = eachTest(open);

  it("keeps the first graph of a traversal, and returns it if another is put", async () => {
    const graph = aGraph();
    expect(await store().getGraph(graph.stackId, graph.traversalId)).toBeNull();
    expect(await store().putGraph(graph, NOW)).toEqual(graph);
    expect(await store().putGraph({ ...graph, nodes: [] }, NOW)).toEqual(graph);
    expect(await store().getGraph(graph.stackId, graph.traversalId)).toEqual(graph);
    expect(await store().getGraph(graph.stackId, randomUUID())).toBeNull();
  });

  it("keeps the first graph of a traversal, whether it is whole or in parts", async () => {
    const header = aGraphHeader();
    const { stackId, traversalId } = header;
    expect(await store().putGraph(header, NOW)).toEqual(header);
    const { parts: _, ...fields } = header;
    expect(await store().putGraph({ ...fields, nodes: [] }, NOW)).toEqual(header);
    const other = { ...header, parts: { ...header.parts, build: randomUUID() } };
    expect(await store().putGraph(other, NOW)).toEqual(header);
    expect(await store().getGraph(stackId, traversalId)).toEqual(header);
  });

  it("keeps the parts of graphs apart, and each part as it was first put", async () => {
    const builds = [randomUUID(), randomUUID()] as const;
    const directory = { nodes: [], positions: { a: [0, null], b: [null, 1], c: [2, 3] } } as const;
    const put = (build: string, part: string, what: GraphPart) =>
      store().putGraphPart({ build, part }, what, NOW);
    const nodes = aGraphPart();
    for (const build of builds) expect(await store().getGraphPart({ build, part: "x" })).toBeNull();
    await put(builds[0], "nodes 0", nodes);
    await put(builds[0], "directory 0", directory);
    await put(builds[1], "nodes 0", directory);
    await put(builds[0], "nodes 0", nodes);
    const read = (build: string, part: string) => store().getGraphPart({ build, part });
    expect(await read(builds[0], "nodes 0")).toEqual(nodes);
    expect(await read(builds[0], "directory 0")).toEqual(directory);
    expect(await read(builds[1], "nodes 0")).toEqual(directory);
    expect(await read(builds[1], "directory 0")).toBeNull();
  });

  it("keeps many graphs apart", async () => {
    const many = Array.from({ length: 40 }, (_, at) => aGraph({ traversalNumber: at }));
    for (const graph of many) await store().putGraph(graph, NOW);
    for (const graph of many)
      expect(await store().getGraph(graph.stackId, graph.traversalId)).toEqual(graph);
  });
};

export const graphsContract = (open: Open<Store>): void => {
  describe("graphs", () => graphs(open));
};
