import { useMemo } from "preact/hooks";
import type { WireResource } from "#client/wire.ts";
import { useLive } from "./hooks.ts";
import type { Hint } from "./live.ts";
import { Failure, Status, Waiting, When } from "./parts.tsx";
import { clientOf, type Session } from "./session.ts";
import { readEvents, readOutputs, type Stack, valueText } from "./stack-data.ts";
import { VirtualRows } from "./virtual-rows.tsx";

export interface TabProps {
  readonly session: Session;
  readonly stack: Stack;
  readonly hrefOf: (name: string | null) => string;
}

/** Heat's text for an output without a description. */
const NOT_DESCRIBED = "No description given";

const concernsOf =
  ({ id }: Stack) =>
  (hint: Hint): boolean =>
    hint === "all" || hint.includes(id);

export const ResourceRows = ({
  resources,
  chosen,
  hrefOf,
}: Pick<TabProps, "hrefOf"> & {
  resources: readonly WireResource[];
  chosen: string | null;
}) =>
  resources.length === 0 ? (
    <p class="empty">This stack has no resources.</p>
  ) : (
    <table class="rows" aria-rowcount={resources.length + 1}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Status</th>
          <th scope="col" class="wide">
            Type
          </th>
          <th scope="col" class="wide">
            Changed
          </th>
        </tr>
      </thead>
      <VirtualRows
        rows={resources}
        render={(row) => (
          <tr key={row.resource_name} aria-current={row.resource_name === chosen || undefined}>
            <td>
              <a href={hrefOf(row.resource_name)}>{row.resource_name}</a>
            </td>
            <td title={row.resource_status_reason ?? ""}>
              <Status status={row.resource_status} />
            </td>
            <td class="wide type">{row.resource_type}</td>
            <td class="wide">
              <When iso={row.updated_time} />
            </td>
          </tr>
        )}
      />
    </table>
  );

export const EventsTab = ({ session, stack, hrefOf }: TabProps) => {
  const client = useMemo(() => clientOf(session), [session]);
  const { value, error } = useLive(
    `events/${stack.id}`,
    () => readEvents(client, stack),
    concernsOf(stack),
  );
  return (
    <>
      <Failure text={error} />
      {value === null && error === null && <Waiting />}
      {value !== null && (
        <ol class="events" aria-label="Events, the newest first">
          {value.map((event) => (
            <li key={event.id}>
              <span class="event-time">
                <When iso={event.event_time} />
              </span>
              <span class="event-name">
                {event.resource_name === stack.stack_name ? (
                  <strong>{event.resource_name}</strong>
                ) : (
                  <a href={hrefOf(event.resource_name)}>{event.resource_name}</a>
                )}
              </span>
              <Status status={event.resource_status} />
              <span class="reason">
                {event.resource_status_reason}
                {event.actor && ` (asked by ${event.actor})`}
              </span>
            </li>
          ))}
        </ol>
      )}
    </>
  );
};

export const OutputsTab = ({ session, stack }: TabProps) => {
  const client = useMemo(() => clientOf(session), [session]);
  const { value, error } = useLive(
    `outputs/${stack.id}`,
    () => readOutputs(client, stack),
    concernsOf(stack),
  );
  return (
    <>
      <Failure text={error} />
      {value === null && error === null && <Waiting />}
      {value?.length === 0 && <p class="empty">The template has no outputs.</p>}
      {value !== null && value.length > 0 && (
        <dl class="facts outputs">
          {value.map((output) => (
            <div key={output.output_key}>
              <dt>{output.output_key}</dt>
              <dd>
                {output.description && output.description !== NOT_DESCRIBED && (
                  <p class="quiet">{output.description}</p>
                )}
                {output.output_error ? (
                  <p class="reason">{output.output_error}</p>
                ) : (
                  <pre>{valueText(output.output_value)}</pre>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
};
