import { useMemo } from "preact/hooks";
import { isDeploymentType } from "./deployments.ts";
import { blockersOf, type Graph } from "./graph-model.ts";
import { useEscape, useLive } from "./hooks.ts";
import type { Hint } from "./live.ts";
import { Failure, Status, Waiting, When } from "./parts.tsx";
import { hashOf } from "./route.ts";
import { clientOf, type Session } from "./session.ts";
import {
  isOutcomeUnknown,
  nestedOf,
  type ResourceDetail,
  readProperties,
  readResource,
  type Stack,
  valueText,
} from "./stack-data.ts";
import { UnknownOutcome } from "./unknown-outcome.tsx";

interface PanelProps {
  readonly session: Session;
  readonly stack: Stack;
  readonly name: string;
  readonly graph: Graph;
  readonly hrefOf: (name: string | null) => string;
}

const Links = ({
  title,
  names,
  hrefOf,
}: {
  title: string;
  names: readonly string[];
  hrefOf: PanelProps["hrefOf"];
}) =>
  names.length === 0 ? null : (
    <>
      <dt>{title}</dt>
      <dd class="names">
        {names.map((name) => (
          <a key={name} href={hrefOf(name)}>
            {name}
          </a>
        ))}
      </dd>
    </>
  );

const Blockers = ({ graph, stack, name, hrefOf }: PanelProps) => {
  const node = graph.get(name);
  const blockers = node === undefined ? [] : blockersOf(graph, node, stack.stack_status);
  return blockers.length === 0 ? null : (
    <div class="waits">
      <h3>Waits for</h3>
      <ul>
        {blockers.map((blocker) => (
          <li key={blocker.name}>
            <a href={hrefOf(blocker.name)}>{blocker.name}</a> <Status status={blocker.status} />
          </li>
        ))}
      </ul>
    </div>
  );
};

const Values = ({
  title,
  values,
}: {
  title: string;
  values: Readonly<Record<string, unknown>> | null | undefined;
}) => {
  const known = Object.entries(values ?? {}).filter(([, value]) => value !== null);
  return known.length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <dl class="facts">
        {known.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <pre>{valueText(value)}</pre>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
};

const Facts = ({ detail, stack, graph, hrefOf }: { detail: ResourceDetail } & PanelProps) => {
  const { stack_name: name, id } = stack;
  const { resource_name: resource } = detail;
  const node = graph.get(resource);
  const nested = nestedOf(detail.links);
  return (
    <dl class="facts">
      <dt>Type</dt>
      <dd>
        {detail.resource_type},{" "}
        <a href={hashOf({ screen: "stack", name, id, tab: "template", resource })}>
          in the template
        </a>
      </dd>
      {detail.physical_resource_id && (
        <>
          <dt>Physical id</dt>
          <dd class="id">
            {isDeploymentType(detail.resource_type) ? (
              <a href={hashOf({ screen: "deployment", id: detail.physical_resource_id })}>
                {detail.physical_resource_id}
              </a>
            ) : (
              detail.physical_resource_id
            )}
          </dd>
        </>
      )}
      {nested !== null && (
        <>
          <dt>Nested stack</dt>
          <dd>
            <a
              href={hashOf({
                screen: "stack",
                name: nested.stack_name,
                id: nested.id,
                tab: "resources",
                resource: null,
              })}
            >
              {nested.stack_name}
            </a>
          </dd>
        </>
      )}
      <dt>Changed</dt>
      <dd>
        <When iso={detail.updated_time} />
      </dd>
      <Links title="Requires" names={node?.requires ?? []} hrefOf={hrefOf} />
      <Links title="Required by" names={node?.requiredBy ?? []} hrefOf={hrefOf} />
    </dl>
  );
};

export const ResourcePanel = (props: PanelProps) => {
  const { session, stack, name, hrefOf } = props;
  const client = useMemo(() => clientOf(session), [session]);
  const concerns = (hint: Hint): boolean => hint === "all" || hint.includes(stack.id);
  const { value, error } = useLive(
    `${stack.id}/${name}`,
    () => readResource(client, stack, name),
    concerns,
  );
  const properties = useLive(
    `properties/${stack.id}/${name}`,
    () => readProperties(client, stack, name),
    concerns,
  );
  useEscape(() => {
    location.hash = hrefOf(null);
  });
  return (
    <aside class="panel" aria-label={`Resource ${name}`}>
      <div class="panel-head">
        <h2>{name}</h2>
        <a class="close" href={hrefOf(null)} aria-label="Close the resource">
          ✕
        </a>
      </div>
      <Failure text={error ?? properties.error} />
      {value === null && error === null && <Waiting />}
      {value !== null && (
        <>
          <p>
            <Status status={value.resource_status} />
          </p>
          {value.resource_status_reason && <p class="reason">{value.resource_status_reason}</p>}
          {isOutcomeUnknown(value) && (
            // The answer to another creation begins empty.
            <UnknownOutcome key={value.basis} session={session} stack={stack} resource={value} />
          )}
          <Blockers {...props} />
          <Facts {...props} detail={value} />
          <Values title="Properties" values={properties.value} />
          <Values title="Attributes" values={value.attributes} />
        </>
      )}
    </aside>
  );
};
