import type { GraphPart, StoredGraph } from "#lib/model/graph.ts";
import type { Store } from "#lib/ports/store.ts";

type GraphStore = Pick<Store, "getGraph" | "getGraphPart">;

export const notedGraphReads = <Given extends GraphStore>(
  store: Given,
  note: (record: StoredGraph | GraphPart) => void,
): Given & GraphStore => {
  const noted = <Read extends StoredGraph | GraphPart>(read: Read | null): Read | null => {
    if (read !== null) note(read);
    return read;
  };
  return {
    ...store,
    getGraph: async (stackId, traversalId) => noted(await store.getGraph(stackId, traversalId)),
    getGraphPart: async (key) => noted(await store.getGraphPart(key)),
  };
};
