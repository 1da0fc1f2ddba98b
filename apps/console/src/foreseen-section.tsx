import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  AWAITED_SIGN,
  type Change,
  differencesOf,
  ENDED_SIGN,
  type Foreseen,
  foreseenGraph,
  reasonsOf,
  SORT_SIGNS,
  SORT_TONES,
  SORT_WORDS,
  type Sort,
  sortOf,
} from "./foreseen.ts";
import type { Entry } from "./graph-legend.tsx";
import { GraphView } from "./graph-view.tsx";

const CHANGING: readonly Sort[] = ["deleted", "replaced", "added", "updated"];
const RESTING: readonly Sort[] = ["reached", "untouched"];

const LEGEND: readonly Entry[] = [
  ...[...CHANGING, ...RESTING].map((sort) => ({
    tone: SORT_TONES[sort],
    sign: SORT_SIGNS[sort],
    text: SORT_WORDS[sort],
  })),
  { tone: "mark", sign: ENDED_SIGN, text: "interrupted" },
  { tone: "mark", sign: AWAITED_SIGN, text: "first awaited" },
];

const Differences = ({ change }: { change: Change }) => {
  const differences = differencesOf(change);
  return differences.length === 0 ? null : (
    <dl class="differences">
      {differences.map(({ name, before, after }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {before !== null && (
              <pre class="before">
                <span class="unseen">before: </span>
                {before}
              </pre>
            )}
            {after !== null && (
              <pre class="after">
                <span class="unseen">after: </span>
                {after}
              </pre>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
};

const ChangeItem = ({ change, isChosen }: { change: Change; isChosen: boolean }) => {
  const item = useRef<HTMLLIElement>(null);
  const sort = sortOf(change);
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    <li ref={item} aria-current={isChosen ? "true" : undefined}>
      <span class={`status ${SORT_TONES[sort]}`}>
        <span aria-hidden="true">{SORT_SIGNS[sort]}</span> {SORT_WORDS[sort]}
      </span>{" "}
      <strong>{change.name}</strong> <span class="help">{change.type}</span>
      {reasonsOf(change).map((reason) => (
        <p key={reason} class="why">
          {reason}
        </p>
      ))}
      <Differences change={change} />
    </li>
  );
};

const Items = ({ changes, chosen }: { changes: readonly Change[]; chosen: string | null }) => (
  <ul class="changes">
    {changes.map((change) => (
      <ChangeItem key={change.name} change={change} isChosen={change.name === chosen} />
    ))}
  </ul>
);

/** The section is folded, unless the user has chosen a resource in it. */
const Resting = ({ changes, chosen }: { changes: readonly Change[]; chosen: string | null }) => {
  const [isOpen, setOpen] = useState(false);
  const holdsChosen = changes.some(({ name }) => name === chosen);
  useEffect(() => {
    if (holdsChosen) setOpen(true);
  }, [holdsChosen]);
  if (changes.length === 0) return null;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{changes.length} unchanged</summary>
      {isOpen && <Items changes={changes} chosen={chosen} />}
    </details>
  );
};

const rank = (change: Change): number => [...CHANGING, ...RESTING].indexOf(sortOf(change));
/** A resource with a running operation is shown, although nothing about it changes. */
const isBusy = ({ detail }: Change): boolean => detail !== null && detail.operation !== null;

const Warnings = ({ warnings }: Pick<Foreseen, "warnings">) =>
  warnings.length === 0 ? null : (
    <div class="verdict stuck" role="alert">
      {warnings.map((warning) => (
        <p key={warning}>
          <strong>Warning: </strong>
          {warning}
        </p>
      ))}
    </div>
  );

export const ForeseenSection = ({
  foreseen: { changes, warnings },
  children,
}: {
  foreseen: Foreseen;
  children: ComponentChildren;
}) => {
  const [chosen, setChosen] = useState<string | null>(null);
  const section = useRef<HTMLElement>(null);
  const graph = useMemo(() => foreseenGraph(changes), [changes]);
  const ordered = useMemo(
    () => changes.toSorted((one, other) => rank(one) - rank(other)),
    [changes],
  );
  const isShown = (change: Change): boolean => change.kind !== "unchanged" || isBusy(change);
  const shown = ordered.filter(isShown);
  useEffect(() => {
    section.current?.scrollIntoView({ block: "start" });
  }, [changes]);
  return (
    <section class="foreseen" aria-label="Preview" ref={section}>
      <div class="foreseen-head">
        <h2>What this would do</h2>
        {children}
      </div>
      <Warnings warnings={warnings} />
      <div class={changes.length === 0 ? "" : "foreseen-parts"}>
        {changes.length > 0 && (
          <GraphView
            graph={graph}
            chosen={chosen}
            reactions={{ choose: setChosen }}
            legend={LEGEND}
          />
        )}
        <div class="foreseen-list">
          {shown.length === 0 && <p>No resource changes.</p>}
          <Items changes={shown} chosen={chosen} />
          <Resting changes={ordered.filter((change) => !isShown(change))} chosen={chosen} />
        </div>
      </div>
    </section>
  );
};
