import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { askLayout } from "./ask-layout.ts";
import { type Drawing, drawingOf, type Laid, placesOf, READABLE_SCALE } from "./graph-drawing.ts";
import { type Entry, Legend, STATUS_LEGEND } from "./graph-legend.tsx";
import type { Drawn } from "./graph-model.ts";
import { NodeBox, type Reactions } from "./graph-node.tsx";
import { layoutRequestOf } from "./graph-request.ts";
import { Failure, Waiting } from "./parts.tsx";
import { textOf } from "./session.ts";
import { centredOn, fitted, moved, type Size, type ViewBox, zoomed } from "./view-box.ts";

const STEP_PX = 80;
const ZOOM = 1.25;
const WHEEL_PX = 400;

/** On a narrower screen a row of nodes may be too small to be readable. */
const NARROW_PX_MAX = 560;

interface LaidOut extends Laid {
  readonly size: Size;
}

const layOutFor = async (graph: Drawn, screen: Size): Promise<LaidOut> => {
  const isNarrow = screen.width <= NARROW_PX_MAX;
  const lying = await askLayout(layoutRequestOf(graph, false));
  const upright = isNarrow ? await askLayout(layoutRequestOf(graph, true)) : lying;
  const isBetter = fitted(upright, screen).scale > fitted(lying, screen).scale;
  const layout = isBetter ? upright : lying;
  return { places: placesOf(layout), size: layout, isUpright: layout.isUpright };
};

const useLayout = (graph: Drawn, screen: Size): { laid: LaidOut | null; error: string | null } => {
  const [laid, setLaid] = useState<LaidOut | null>(null);
  const [error, setError] = useState<string | null>(null);
  // A change of status moves nothing: only another set of nodes or edges is laid out again.
  const shape = useMemo(() => JSON.stringify(layoutRequestOf(graph)), [graph]);
  const isKnown = screen.width > 0;
  const isNarrow = screen.width <= NARROW_PX_MAX;
  useEffect(() => {
    if (!isKnown) return;
    let isCurrent = true;
    layOutFor(graph, screen).then(
      (layout) => {
        if (isCurrent) setLaid(layout);
      },
      (failure) => {
        if (isCurrent) setError(textOf(failure));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [shape, isKnown, isNarrow]);
  return { laid, error };
};

const useSize = (element: HTMLElement | null): Size => {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    if (element === null) return;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return size;
};

interface GraphProps {
  readonly graph: Drawn;
  readonly chosen: string | null;
  readonly reactions?: Reactions;
  readonly legend?: readonly Entry[];
  readonly children?: ComponentChildren;
}

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [STEP_PX, 0],
  ArrowRight: [-STEP_PX, 0],
  ArrowUp: [0, STEP_PX],
  ArrowDown: [0, -STEP_PX],
};

const useView = (laid: LaidOut | null, screen: Size, chosen: string | null) => {
  const [view, setView] = useState<ViewBox | null>(null);
  const all = laid === null ? null : fitted(laid.size, screen);
  const chosenPlace = chosen === null ? undefined : laid?.places.get(chosen);
  // On a small screen the whole graph would only show colours.
  const isFar = all !== null && all.scale < READABLE_SCALE;
  const first = isFar && chosenPlace !== undefined ? centredOn(all, chosenPlace, screen) : all;
  const shown = view ?? first;
  const change = (next: (old: ViewBox) => ViewBox): void =>
    setView((old) => {
      const from = old ?? first;
      return from === null ? null : next(from);
    });
  const middle = { x: screen.width / 2, y: screen.height / 2 };
  return {
    view: shown,
    change,
    fit: () => setView(all),
    zoom: (factor: number) => change((old) => zoomed(old, factor, middle)),
    showChosen:
      chosenPlace === undefined ? null : () => change((old) => centredOn(old, chosenPlace, screen)),
  };
};

type View = ReturnType<typeof useView>;

const Buttons = ({
  view: { zoom, fit, showChosen },
  children,
}: {
  view: View;
  children: ComponentChildren;
}) => (
  <div class="graph-buttons" role="toolbar" aria-label="Graph">
    <button type="button" onClick={() => zoom(ZOOM)} aria-label="Larger">
      +
    </button>
    <button type="button" onClick={() => zoom(1 / ZOOM)} aria-label="Smaller">
      −
    </button>
    <button type="button" onClick={fit}>
      Whole
    </button>
    {showChosen !== null && (
      <button type="button" onClick={showChosen}>
        Chosen
      </button>
    )}
    {children}
  </div>
);

const placeIn = ({ clientX, clientY, currentTarget }: MouseEvent) => {
  const frame = currentTarget instanceof Element ? currentTarget.getBoundingClientRect() : null;
  return { x: clientX - (frame?.left ?? 0), y: clientY - (frame?.top ?? 0) };
};

const usePointers = (change: View["change"]) => {
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const spread = (): number => {
    const [one, other] = [...pointers.current.values()];
    return one === undefined || other === undefined
      ? 0
      : Math.hypot(one.x - other.x, one.y - other.y);
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      pointers.current.set(event.pointerId, placeIn(event));
    },
    onPointerMove: (event: PointerEvent) => {
      const old = pointers.current.get(event.pointerId);
      if (old === undefined) return;
      const before = spread();
      const at = placeIn(event);
      pointers.current.set(event.pointerId, at);
      const after = spread();
      if (before > 0) change((view) => zoomed(view, after / before, at));
      else change((view) => moved(view, at.x - old.x, at.y - old.y));
    },
    onPointerUp: (event: PointerEvent) => void pointers.current.delete(event.pointerId),
    onPointerLeave: (event: PointerEvent) => void pointers.current.delete(event.pointerId),
  };
};

const Picture = ({
  drawing,
  box,
  chosen,
  reactions,
}: {
  drawing: Drawing;
  box: ViewBox;
  chosen: string | null;
  reactions: Reactions;
}) => (
  // biome-ignore lint/a11y/useSemanticElements: a drawing can be no set of fields
  <svg role="group" aria-label="Resources and what they require" width="100%" height="100%">
    <g transform={`scale(${box.scale}) translate(${-box.x} ${-box.y})`}>
      <path class="edges" d={drawing.edges} />
      <path class="edges succession" d={drawing.successions} />
      {drawing.tones.map(([tone, path]) => (
        <path key={tone} class={`far ${tone}`} d={path} />
      ))}
      {[...drawing.frames, ...drawing.singles].map((placed) => (
        <NodeBox
          key={placed.node.id}
          placed={placed}
          isChosen={placed.node.id === chosen}
          reactions={reactions}
        />
      ))}
    </g>
  </svg>
);

export const GraphView = ({
  graph,
  chosen,
  reactions = {},
  legend = STATUS_LEGEND,
  children,
}: GraphProps) => {
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const screen = useSize(frame);
  const { laid, error } = useLayout(graph, screen);
  const view = useView(laid, screen, chosen);
  const pointers = usePointers(view.change);
  const { change } = view;
  const wheel = useRef(change);
  wheel.current = change;
  useEffect(() => {
    if (frame === null) return;
    const turned = (event: WheelEvent): void => {
      event.preventDefault();
      const at = placeIn(event);
      wheel.current((old) => zoomed(old, 2 ** (-event.deltaY / WHEEL_PX), at));
    };
    // A passive listener could not keep the page from scrolling.
    frame.addEventListener("wheel", turned, { passive: false });
    return () => frame.removeEventListener("wheel", turned);
  }, [frame]);
  const box = view.view;
  const drawing = useMemo(
    () =>
      laid === null || box === null || screen.width === 0
        ? null
        : drawingOf(graph, laid, box, screen),
    [graph, laid, box?.x, box?.y, box?.scale, screen],
  );
  const pressed = (event: KeyboardEvent): void => {
    const step = MOVES[event.key];
    if (step !== undefined) change((old) => moved(old, ...step));
    else if (event.key === "+") view.zoom(ZOOM);
    else if (event.key === "-") view.zoom(1 / ZOOM);
    else if (event.key === "0") view.fit();
    else return;
    event.preventDefault();
  };
  return (
    <section class="graph" aria-label="Dependency graph" onKeyDown={pressed}>
      <div class="graph-bar">
        <Legend graph={graph} entries={legend} />
        <Buttons view={view}>{children}</Buttons>
      </div>
      <Failure text={error} />
      <div class="graph-frame" ref={setFrame} {...pointers}>
        {drawing === null && error === null && <Waiting />}
        {drawing !== null && box !== null && (
          <Picture drawing={drawing} box={box} chosen={chosen} reactions={reactions} />
        )}
      </div>
    </section>
  );
};
