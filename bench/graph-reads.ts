/**
 * `npm run bench:graph`: what a visit of a cold function reads of its graph, whole and in parts.
 * Each resource of an update has two nodes, and depends on the one before it and on one far away.
 */
import { gzipSync } from "node:zlib";
import { memoryStore } from "#lib/adapters/memory/store.ts";
import { uuidIds } from "#lib/adapters/node/platform.ts";
import { buildGraph } from "#lib/convergence/convergence-graph.ts";
import { GRAPH_PART_NODES_MAX } from "#lib/convergence/limits.ts";
import { storedGraph } from "#lib/convergence/published-graph.ts";
import { storeGraph } from "#lib/convergence/store-graph.ts";
import { present } from "#lib/errors.ts";
import type { ConvergenceGraph } from "#lib/model/graph.ts";
import { finished } from "#lib/template/steps.ts";
import { aRow } from "#test/contract/records.ts";
import { notedGraphReads } from "#test/unit/convergence/noted-graph-reads.ts";

const SIZES = [500, 10_000, 100_000];
const FAR = 97;

const ids = uuidIds();

const graphOf = (size: number): ConvergenceGraph => {
  const rowIds = Array.from({ length: size }, () => ids.fresh());
  const before = (at: number): readonly number[] => [at - 1, at - FAR].filter((one) => one >= 0);
  const names = rowIds.map((_, at) => `resource_${at}`);
  return finished(
    buildGraph({
      stackId: ids.fresh(),
      traversalId: ids.fresh(),
      traversalNumber: 2,
      action: "UPDATE",
      templateId: ids.fresh(),
      targets: names.map((name, at) => ({
        name,
        requires: before(at).map((of) => present(names[of], "a name")),
      })),
      rows: rowIds.map((id, at) => {
        const requires = before(at).map((of) => present(rowIds[of], "an id"));
        return { ...aRow({ id, name: present(names[at], "a name"), requires }), version: 1 };
      }),
      interruptedTemplateId: null,
      mintId: ids.fresh,
    }),
  );
};

/** The records that a visit reads, and their bytes as JSON and as DynamoDB or S3 has them. */
const readsOf = async (graph: ConvergenceGraph, partNodesMax: number) => {
  const store = memoryStore();
  await storeGraph({ store, ids }, graph, 0, partNodesMax);
  const read: string[] = [];
  const cold = notedGraphReads(store, (record) => read.push(JSON.stringify(record)));
  const middle = present(graph.nodes[graph.nodes.length >> 2], "a node");
  const begun = process.cpuUsage();
  const { stackId, traversalId } = graph;
  const index = present(await storedGraph({ store: cold }, stackId, traversalId), "the graph");
  await index.nodeAt(present(await index.positionOf(middle), "its position"));
  const json = read.reduce((sum, one) => sum + one.length, 0);
  const gzip = read.reduce((sum, one) => sum + gzipSync(one).length, 0);
  const { user } = process.cpuUsage(begun);
  return { records: read.length, json, gzip, "ms with gzip": Math.round(user / 1_000) };
};

const rows: Record<string, object> = {};
for (const size of SIZES) {
  const graph = graphOf(size);
  rows[`${size} resources, whole`] = await readsOf(graph, graph.nodes.length);
  rows[`${size} resources, in parts`] = await readsOf(graph, GRAPH_PART_NODES_MAX);
}
console.table(rows);
