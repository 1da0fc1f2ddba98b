/** A list of thousands of rows, of which only those near the screen exist in the page. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Rows beyond the screen's edges, so that fast scrolling finds them ready. */
const BEYOND = 12;

/** The height of a row of a table with the class `rows` in style.css. */
const ROW_PX = 45;

interface Span {
  readonly from: number;
  readonly to: number;
}

export const spanOf = (top: number, windowPx: number, rowPx: number, count: number): Span => {
  const from = Math.max(0, Math.floor(top / rowPx) - BEYOND);
  const to = Math.min(count, Math.ceil((top + windowPx) / rowPx) + BEYOND);
  return { from: Math.min(from, count), to: Math.max(to, 0) };
};

interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly render: (row: Row, index: number) => ComponentChildren;
}

/** Two empty rows keep the place of those that do not exist. */
export const VirtualRows = <Row,>({ rows, render }: Rows<Row>) => {
  const start = useRef<HTMLTableSectionElement>(null);
  const [span, setSpan] = useState<Span>({ from: 0, to: Math.min(rows.length, 60) });
  useEffect(() => {
    let frame = 0;
    const look = (): void => {
      frame = 0;
      const top = -(start.current?.getBoundingClientRect().top ?? 0);
      const next = spanOf(top, innerHeight, ROW_PX, rows.length);
      setSpan((old) => (old.from === next.from && old.to === next.to ? old : next));
    };
    const moved = (): void => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    addEventListener("scroll", moved, { passive: true });
    addEventListener("resize", moved);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", moved);
      removeEventListener("resize", moved);
    };
  }, [rows.length]);
  // A cell over several columns would keep the width of columns that a phone hides.
  const gap = (count: number) =>
    count > 0 && (
      <tr style={{ height: `${count * ROW_PX}px` }}>
        <td />
      </tr>
    );
  return (
    <tbody ref={start}>
      {gap(span.from)}
      {rows.slice(span.from, span.to).map((row, at) => render(row, span.from + at))}
      {gap(rows.length - span.to)}
    </tbody>
  );
};
