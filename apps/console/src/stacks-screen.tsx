import { useMemo, useRef, useState } from "preact/hooks";
import { useLive } from "./hooks.ts";
import type { Hint } from "./live.ts";
import { Failure, ProgressText, Status, Waiting, When } from "./parts.tsx";
import { hashOf } from "./route.ts";
import { clientOf, type Session } from "./session.ts";
import { matching, readStacks, type StackFilter, type StackRow, tagsOf } from "./stack-list.ts";
import type { Tone } from "./status.ts";
import { VirtualRows } from "./virtual-rows.tsx";

const TONES: readonly (readonly [Tone, string])[] = [
  ["busy", "In progress"],
  ["bad", "Failed"],
  ["good", "Complete"],
  ["warn", "Suspended or rolled back"],
  ["quiet", "Other"],
];

const StackLine = ({ row }: { row: StackRow }) => (
  <tr>
    <td>
      <a
        href={hashOf({
          screen: "stack",
          name: row.stack_name,
          id: row.id,
          tab: "resources",
          resource: null,
        })}
      >
        {row.stack_name}
      </a>
    </td>
    <td>
      <Status status={row.stack_status} />
    </td>
    <td class="wide">
      <ProgressText progress={row.progress} />
    </td>
    <td class="tags wide">
      {(row.tags ?? []).map((tag) => (
        <span class="tag" key={tag}>
          {tag}
        </span>
      ))}
    </td>
    <td class="wide">
      <When iso={row.updated_time ?? row.creation_time} />
    </td>
  </tr>
);

interface Filtering {
  readonly filter: StackFilter;
  readonly change: (filter: StackFilter) => void;
  readonly tags: readonly string[];
}

const Filters = ({ filter, change, tags }: Filtering) => (
  <search class="filters">
    <label>
      <span>Search</span>
      <input
        type="search"
        placeholder="Name, id or tag"
        value={filter.text}
        onInput={(event) => change({ ...filter, text: event.currentTarget.value })}
      />
    </label>
    <label>
      <span>Status</span>
      <select
        value={filter.tone ?? ""}
        onChange={({ currentTarget: { value } }) =>
          change({ ...filter, tone: TONES.find(([tone]) => tone === value)?.[0] ?? null })
        }
      >
        <option value="">Any</option>
        {TONES.map(([tone, label]) => (
          <option key={tone} value={tone}>
            {label}
          </option>
        ))}
      </select>
    </label>
    {tags.length > 0 && (
      <label>
        <span>Tag</span>
        <select
          value={filter.tag ?? ""}
          onChange={({ currentTarget: { value } }) =>
            change({ ...filter, tag: value === "" ? null : value })
          }
        >
          <option value="">Any</option>
          {tags.map((tag) => (
            <option key={tag}>{tag}</option>
          ))}
        </select>
      </label>
    )}
  </search>
);

const NoStacks = () => (
  <div class="empty">
    <p>This project has no stacks yet.</p>
    <p>
      <a class="button" href={hashOf({ screen: "create" })}>
        Create the first one
      </a>
    </p>
  </div>
);

export const StacksScreen = ({ session }: { session: Session }) => {
  const client = useMemo(() => clientOf(session), [session]);
  const [filter, setFilter] = useState<StackFilter>({ text: "", tone: null, tag: null });
  const known = useRef<readonly StackRow[] | null>(null);
  const pending = useRef<Hint>("all");
  const { value, error } = useLive(
    "stacks",
    async () => {
      const hint = pending.current;
      pending.current = [];
      try {
        known.current = await readStacks(client, known.current, hint);
      } catch (failure) {
        pending.current = "all";
        throw failure;
      }
      return known.current;
    },
    (hint) => {
      const old = pending.current;
      pending.current = hint === "all" || old === "all" ? "all" : [...new Set([...old, ...hint])];
      return true;
    },
  );
  const shown = useMemo(() => matching(value ?? [], filter), [value, filter]);
  const tags = useMemo(() => tagsOf(value ?? []), [value]);
  return (
    <>
      <div class="heading">
        <h1>Stacks</h1>
        {value !== null && (
          <span class="count" role="status">
            {shown.length === value.length ? value.length : `${shown.length} of ${value.length}`}
          </span>
        )}
      </div>
      <Failure text={error} />
      {value === null && error === null && <Waiting />}
      {value !== null && value.length === 0 && <NoStacks />}
      {value !== null && value.length > 0 && (
        <>
          <Filters filter={filter} change={setFilter} tags={tags} />
          {shown.length === 0 && <p class="empty">No stack matches.</p>}
          <table class="rows" aria-rowcount={shown.length + 1}>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Status</th>
                <th scope="col" class="wide">
                  Progress
                </th>
                <th scope="col" class="wide">
                  Tags
                </th>
                <th scope="col" class="wide">
                  Changed
                </th>
              </tr>
            </thead>
            <VirtualRows rows={shown} render={(row) => <StackLine key={row.id} row={row} />} />
          </table>
        </>
      )}
    </>
  );
};
