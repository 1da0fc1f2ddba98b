/** One node of a graph where it can be read: a link, or a button. */
import type { PlacedNode } from "./graph-drawing.ts";
import { NODE_HEIGHT, NODE_WIDTH } from "./graph-layout-shape.ts";
import type { DrawnNode } from "./graph-model.ts";

const NAME_CHARS_MAX = 22;
const TYPE_CHARS_MAX = 26;

/** The place in the console that shows a node, or what choosing it does. */
export type Choose =
  | { readonly hrefOf: (name: string) => string }
  | { readonly chosen: (name: string) => void };

const cut = (text: string, chars: number): string =>
  text.length <= chars ? text : `${text.slice(0, chars - 1)}…`;

const labelOf = ({ name, type, look }: DrawnNode): string =>
  [name, type, look.words, ...(look.mark === null ? [] : [look.mark.words])].join(", ");

const Face = ({ node }: { node: DrawnNode }) => (
  <>
    <title>{labelOf(node)}</title>
    <rect width={NODE_WIDTH} height={NODE_HEIGHT} rx="8" />
    <text x="12" y="19" class="name">
      {cut(node.name, NAME_CHARS_MAX)}
    </text>
    <text x="12" y="35" class="type">
      {cut(node.type, TYPE_CHARS_MAX)}
    </text>
    <text x={NODE_WIDTH - 12} y="19" class="sign" text-anchor="end">
      {node.look.sign}
    </text>
    {node.look.mark !== null && (
      <text x={NODE_WIDTH - 12} y="36" class="sign" text-anchor="end">
        {node.look.mark.sign}
      </text>
    )}
  </>
);

const isPress = ({ key }: KeyboardEvent): boolean => key === "Enter" || key === " ";

export const NodeBox = ({
  placed: { node, x, y },
  isChosen,
  choose,
}: {
  placed: PlacedNode;
  isChosen: boolean;
  choose: Choose;
}) => {
  const { tone, mark } = node.look;
  const style = `node ${tone}${mark === null ? "" : " marked"}`;
  const current = isChosen ? "true" : undefined;
  return (
    <g transform={`translate(${x - NODE_WIDTH / 2} ${y - NODE_HEIGHT / 2})`}>
      {"hrefOf" in choose ? (
        <a class={style} href={choose.hrefOf(node.name)} aria-current={current}>
          <Face node={node} />
        </a>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a drawing can hold no button
        <g
          class={style}
          role="button"
          tabindex={0}
          aria-current={current}
          onClick={() => choose.chosen(node.name)}
          onKeyDown={(event) => {
            if (!isPress(event)) return;
            event.preventDefault();
            choose.chosen(node.name);
          }}
        >
          <Face node={node} />
        </g>
      )}
    </g>
  );
};
