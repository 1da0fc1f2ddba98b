import { edit, type Mutant } from "./mutant.ts";

export const GRAPH_PARTS_MUTANTS: readonly Mutant[] = [
  {
    name: "header before its parts",
    rule: "P2",
    edits: [
      edit(
        "convergence/graph/store-graph.ts",
        "  await inParallel(puts);\n  const stored = await store.putGraph(header, expiresAt);\n",
        "  const stored = await store.putGraph(header, expiresAt);\n  await inParallel(puts);\n",
      ),
    ],
  },
  {
    name: "one set of parts for all prepares of a traversal",
    rule: "P2",
    edits: [
      edit(
        "convergence/graph/store-graph.ts",
        'ids.derive("graph", build, name, JSON.stringify(make()))',
        "build",
      ),
    ],
  },
];
