/** A chart of the stack's newest operations: a row for each resource, a bar for each of them. */
import { useMemo } from "preact/hooks";
import { useLive } from "./hooks.ts";
import { Failure, Waiting } from "./parts.tsx";
import { clientOf } from "./session.ts";
import { readEvents } from "./stack-data.ts";
import type { TabProps } from "./stack-tabs.tsx";
import { wordsOf } from "./status.ts";
import { type Bar, durationText, type Row, timelineOf } from "./timeline.ts";

/** A bar that is thinner cannot be seen. */
const WIDTH_PERCENT_MIN = 0.4;

const BarBox = ({ bar, from, span }: { bar: Bar; from: number; span: number }) => {
  const percent = (ms: number): number => (100 * ms) / span;
  const text = `${wordsOf(bar.status)}, ${durationText(bar.to - bar.from)}`;
  return (
    <li
      class={`bar ${bar.tone}`}
      title={text}
      style={{
        left: `${percent(bar.from - from)}%`,
        width: `${Math.max(WIDTH_PERCENT_MIN, percent(bar.to - bar.from))}%`,
      }}
    >
      <span class="unseen">{text}</span>
    </li>
  );
};

const TimeRow = ({
  row,
  from,
  span,
  href,
}: {
  row: Row;
  from: number;
  span: number;
  href: string | null;
}) => {
  const total = row.bars.reduce((sum, bar) => sum + bar.to - bar.from, 0);
  return (
    <li class="time-row">
      <span class="time-name">
        {href === null ? <strong>{row.name}</strong> : <a href={href}>{row.name}</a>}
      </span>
      <ul class="time-bars" aria-label={`Operations of ${row.name}`}>
        {row.bars.map((bar) => (
          <BarBox key={bar.from} bar={bar} from={from} span={span} />
        ))}
      </ul>
      <span class="time-total">{durationText(total)}</span>
    </li>
  );
};

export const TimelineTab = ({ session, stack, hrefOf }: TabProps) => {
  const client = useMemo(() => clientOf(session), [session]);
  const { value, error } = useLive(
    `timeline/${stack.id}`,
    async () => timelineOf(await readEvents(client, stack), Date.now()),
    (hint) => hint === "all" || hint.includes(stack.id),
  );
  const span = value === null ? 1 : Math.max(1, value.to - value.from);
  return (
    <>
      <Failure text={error} />
      {value === null && error === null && <Waiting />}
      {value !== null && (
        <>
          <p class="quiet">
            {durationText(span)} in all. A gap before a bar is the wait for what it requires.
          </p>
          <ol class="timeline" aria-label="Timeline">
            {value.rows.map((row) => (
              <TimeRow
                key={row.name}
                row={row}
                from={value.from}
                span={span}
                href={row.name === stack.stack_name ? null : hrefOf(row.name)}
              />
            ))}
          </ol>
        </>
      )}
    </>
  );
};
