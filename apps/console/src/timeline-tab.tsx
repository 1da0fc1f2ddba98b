import { useMemo } from "preact/hooks";
import { useLive } from "./hooks.ts";
import { Failure, Waiting } from "./parts.tsx";
import { clientOf } from "./session.ts";
import { EVENTS_SHOWN_MAX, readEvents } from "./stack-data.ts";
import type { TabProps } from "./stack-tabs.tsx";
import { wordsOf } from "./status.ts";
import { durationText, type Row, timelineOf, type Wait } from "./timeline.ts";

/** A thinner bar is invisible. */
const WIDTH_PERCENT_MIN = 0.4;

interface BoxProps {
  readonly stretch: Wait;
  readonly look: string;
  readonly words: string;
  readonly from: number;
  readonly span: number;
}

const Box = ({ stretch, look, words, from, span }: BoxProps) => {
  const percent = (ms: number): number => (100 * ms) / span;
  const text = `${words}, ${durationText(stretch.to - stretch.from)}`;
  return (
    <li
      class={`bar ${look}`}
      title={text}
      style={{
        left: `${percent(stretch.from - from)}%`,
        width: `${Math.max(WIDTH_PERCENT_MIN, percent(stretch.to - stretch.from))}%`,
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
        {row.waits.map((wait) => (
          <Box key={`w${wait.from}`} stretch={wait} look="wait" words="Waits" {...{ from, span }} />
        ))}
        {row.bars.map((bar) => (
          <Box
            key={bar.from}
            stretch={bar}
            look={bar.tone}
            words={wordsOf(bar.status)}
            {...{ from, span }}
          />
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
    async () => {
      const events = await readEvents(client, stack);
      const timeline = timelineOf(events, Date.now(), stack.stack_name);
      return timeline && { ...timeline, isCut: events.length >= EVENTS_SHOWN_MAX };
    },
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
            {durationText(span)} in all. A line before a bar is the wait for what it requires.
            {value.isCut && ` What is older than the newest ${EVENTS_SHOWN_MAX} events is missing.`}
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
