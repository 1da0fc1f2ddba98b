import type { ComponentChildren } from "preact";
import type { PlacedNode } from "./graph-drawing.ts";
import type { Box } from "./graph-layout-shape.ts";
import type { DrawnNode, Fold } from "./graph-model.ts";
import { signOfTone, TONES } from "./status.ts";

const NAME_CHARS_MAX = 22;
const TYPE_CHARS_MAX = 26;
const TOGGLE_PX = 24;
const HEAD_PX = 40;

export interface Reactions {
  readonly choose?: (id: string) => void;
  readonly toggle?: (id: string) => void;
}

const cut = (text: string, chars: number): string =>
  text.length <= chars ? text : `${text.slice(0, chars - 1)}…`;

const countsText = ({ counts }: Fold): string =>
  TONES.flatMap((tone) => {
    const count = counts.get(tone);
    return count === undefined ? [] : [`${signOfTone(tone)} ${count}`];
  }).join("  ");

const totalOf = ({ counts }: Fold): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

const labelOf = ({ name, type, look, fold }: DrawnNode): string =>
  [
    name,
    type,
    look.words,
    ...look.marks.map(({ words }) => words),
    ...(fold === null ? [] : [`holds ${totalOf(fold)}`]),
  ].join(", ");

const press =
  (act: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  };

interface PressableProps {
  readonly style: string;
  readonly act: () => void;
  readonly label?: string;
  readonly expanded?: boolean;
  readonly current?: "true" | undefined;
  readonly children: ComponentChildren;
}

const Pressable = ({ style, act, label, expanded, current, children }: PressableProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a drawing can hold no button
  <g
    class={style}
    role="button"
    tabindex={0}
    aria-label={label}
    aria-expanded={expanded}
    aria-current={current}
    onClick={act}
    onKeyDown={press(act)}
  >
    {children}
  </g>
);

const Toggle = ({
  node,
  fold,
  width,
  toggle,
}: {
  node: DrawnNode;
  fold: Fold;
  width: number;
  toggle: (id: string) => void;
}) => (
  <Pressable
    style="toggle"
    act={() => toggle(node.id)}
    label={`${fold.isOpen ? "Fold" : "Unfold"} ${node.name}`}
    expanded={fold.isOpen}
  >
    <rect x={width - TOGGLE_PX - 7} y="8" width={TOGGLE_PX} height={TOGGLE_PX} rx="6" />
    <text x={width - TOGGLE_PX / 2 - 7} y="25" text-anchor="middle">
      {fold.isOpen ? "\u2212" : "+"}
    </text>
  </Pressable>
);

const Face = ({ node, box, folds }: { node: DrawnNode; box: Box; folds: boolean }) => {
  const { fold, look } = node;
  const right = box.width - 12 - (folds ? TOGGLE_PX : 0);
  const isOpen = fold?.isOpen === true;
  return (
    <>
      <title>{labelOf(node)}</title>
      <rect width={box.width} height={isOpen ? HEAD_PX : box.height} rx="8" />
      <text x="12" y="19" class="name">
        {cut(node.name, NAME_CHARS_MAX - (fold === null ? 0 : 4))}
      </text>
      <text x="12" y={isOpen ? 34 : 35} class="type">
        {fold === null ? cut(node.type, TYPE_CHARS_MAX) : (fold.caption ?? countsText(fold))}
      </text>
      <text x={right} y="19" class="sign" text-anchor="end">
        {look.sign}
      </text>
      {look.marks.length > 0 && (
        <text x={right} y="36" class="sign" text-anchor="end">
          {look.marks.map(({ sign }) => sign).join(" ")}
        </text>
      )}
    </>
  );
};

export const NodeBox = ({
  placed: { node, box },
  isChosen,
  reactions: { choose = () => undefined, toggle },
}: {
  placed: PlacedNode;
  isChosen: boolean;
  reactions: Reactions;
}) => {
  const { look, fold, href } = node;
  const style = `node ${look.tone}${look.marks.some(({ isOutlined }) => isOutlined) ? " marked" : ""}`;
  const current = isChosen ? "true" : undefined;
  const folds = fold !== null && toggle !== undefined;
  const face = <Face node={node} box={box} folds={folds} />;
  return (
    <g transform={`translate(${box.x - box.width / 2} ${box.y - box.height / 2})`}>
      {fold?.isOpen === true && (
        <rect class={`frame ${look.tone}`} width={box.width} height={box.height} rx="8" />
      )}
      {href === null ? (
        <Pressable style={style} act={() => choose(node.id)} current={current}>
          {face}
        </Pressable>
      ) : (
        <a class={style} href={href} aria-current={current}>
          {face}
        </a>
      )}
      {fold !== null && toggle !== undefined && (
        <Toggle node={node} fold={fold} width={box.width} toggle={toggle} />
      )}
    </g>
  );
};
