import { Status } from "./parts.tsx";
import { labelOf, type Row, type Scene, type Waiting } from "./step-shape.ts";
import { shortId } from "./step-words.ts";

const MS = 1_000;

const noteOf = ({ type, queue, due_ms, receives, is_current }: Waiting): string =>
  [
    ...(type === "prepare_traversal" ? ["before the next visit"] : []),
    ...(queue === "poll" ? ["asks the provider"] : []),
    ...(is_current ? [] : ["overtaken"]),
    ...(receives > 0 ? [`delivered before: ${receives}`] : []),
    ...(due_ms > 0 ? [`in ${Math.ceil(due_ms / MS)} s`] : []),
  ].join(", ");

export const WaitingList = ({
  waiting,
  stackId,
}: {
  waiting: readonly Waiting[];
  stackId: string;
}) => (
  <>
    <h2 id="waiting-messages">Messages that wait</h2>
    {waiting.length === 0 && <p class="quiet">None. The stack is at rest.</p>}
    <ol class="messages" aria-labelledby="waiting-messages">
      {waiting.map((message) => (
        <li key={message.id}>
          <strong>{labelOf(message)}</strong>{" "}
          {message.stack_id !== stackId && <span>of {message.stack_name} </span>}
          <span class="help">{noteOf(message)}</span>
        </li>
      ))}
    </ol>
  </>
);

const RowLine = ({
  row,
  nameOf,
  isChosen,
}: {
  row: Row;
  nameOf: (id: string) => string;
  isChosen: boolean;
}) => (
  <tr aria-current={isChosen ? "true" : undefined}>
    <th scope="row">
      {row.name} <span class="id">{shortId(row.uuid)}</span>
    </th>
    <td>
      <Status status={`${row.action}_${row.status}`} />
    </td>
    <td class="id">{row.physical_id ?? "none"}</td>
    <td>{row.requires.map(nameOf).join(", ")}</td>
    <td>
      {row.replaces !== null && <span>replaces {nameOf(row.replaces)} </span>}
      {row.replaced_by !== null && <span>replaced by {nameOf(row.replaced_by)}</span>}
    </td>
    <td>{row.locked_by === null ? "" : "held"}</td>
  </tr>
);

export const RowTable = ({ scene, chosen }: { scene: Scene; chosen: string | null }) => {
  const known = new Map(scene.rows.map(({ uuid, name }) => [uuid, name]));
  const nameOf = (id: string): string => `${known.get(id) ?? "a row to be"} ${shortId(id)}`;
  const isChosen = ({ uuid, name }: Row): boolean =>
    chosen !== null && (chosen.includes("#") ? chosen.endsWith(`#${uuid}`) : chosen === name);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it
    <section class="step-rows" aria-label="Rows" tabIndex={0}>
      <table>
        <caption>Rows</caption>
        <thead>
          <tr>
            {["Row", "Status", "Object", "Requires", "Versions", "Lease"].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {scene.rows.map((row) => (
            <RowLine key={row.uuid} row={row} nameOf={nameOf} isChosen={isChosen(row)} />
          ))}
        </tbody>
      </table>
      {scene.rows.length === 0 && <p class="quiet">The stack has no rows.</p>}
    </section>
  );
};
