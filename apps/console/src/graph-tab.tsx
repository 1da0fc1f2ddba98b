import { useMemo, useState } from "preact/hooks";
import { NESTED_LEVELS_MAX } from "#client/nested-paths.ts";
import { treeOf } from "./graph-tree.ts";
import { GraphView } from "./graph-view.tsx";
import { useLive } from "./hooks.ts";
import type { Hint } from "./live.ts";
import { Failure, Waiting } from "./parts.tsx";
import { hashOf } from "./route.ts";
import { clientOf, type Session } from "./session.ts";
import { nestedOf, type StackName } from "./stack-data.ts";

const placeOf = (stack: StackName, resource: string): string =>
  hashOf({ screen: "stack", name: stack.stack_name, id: stack.id, tab: "graph", resource });

interface GraphTabProps {
  readonly session: Session;
  readonly stack: StackName;
  readonly chosen: string | null;
}

const useTree = (session: Session, stack: StackName, open: ReadonlySet<string>) => {
  const client = useMemo(() => clientOf(session), [session]);
  const known = useMemo(() => new Set([stack.id]), [stack.id]);
  const concerns = (hint: Hint): boolean => hint === "all" || hint.some((id) => known.has(id));
  const read = async () => {
    const resources = await client.resources(stack, {
      nestedDepth: NESTED_LEVELS_MAX,
      withRows: true,
    });
    for (const { links } of resources) {
      const nested = nestedOf(links);
      if (nested !== null) known.add(nested.id);
    }
    return resources;
  };
  const { value, error } = useLive(`tree/${stack.id}`, read, concerns);
  const graph = useMemo(
    () => (value === null ? null : treeOf(value, stack, { open, hrefOf: placeOf })),
    [value, stack.id, open],
  );
  return { graph, error };
};

const toggled = (open: ReadonlySet<string>, id: string): ReadonlySet<string> => {
  const next = new Set(open);
  if (!next.delete(id)) next.add(id);
  return next;
};

export const GraphTab = ({ session, stack, chosen }: GraphTabProps) => {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const { graph, error } = useTree(session, stack, open);
  if (graph === null) return error === null ? <Waiting /> : <Failure text={error} />;
  if (graph.size === 0) return <p class="empty">This stack has no resources.</p>;
  const folds = [...graph.values()].filter(({ fold }) => fold !== null);
  const isAllOpen = folds.every(({ fold }) => fold?.isOpen === true);
  return (
    <>
      <Failure text={error} />
      <GraphView
        graph={graph}
        chosen={chosen}
        reactions={{ toggle: (id) => setOpen((old) => toggled(old, id)) }}
      >
        {folds.length > 0 && (
          <button
            type="button"
            onClick={() =>
              setOpen(isAllOpen ? new Set() : new Set([...open, ...folds.map(({ id }) => id)]))
            }
          >
            {isAllOpen ? "Fold all" : "Unfold all"}
          </button>
        )}
      </GraphView>
    </>
  );
};
