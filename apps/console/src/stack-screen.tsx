import { useMemo } from "preact/hooks";
import type { WireResource } from "#client/wire.ts";
import { graphOf } from "./graph-model.ts";
import { useLive } from "./hooks.ts";
import type { Hint } from "./live.ts";
import { useModule } from "./loaded-module.ts";
import { Owner } from "./owner.tsx";
import { Failure, ProgressText, Status, Waiting } from "./parts.tsx";
import { ResourcePanel } from "./resource-panel.tsx";
import { hashOf, type Route, STACK_TABS, type StackTab } from "./route.ts";
import { clientOf, type Session } from "./session.ts";
import { StackActions } from "./stack-actions.tsx";
import { readStack, type Stack } from "./stack-data.ts";
import { EventsTab, OutputsTab, ResourceRows, type TabProps } from "./stack-tabs.tsx";
import { TemplateTab } from "./template-tab.tsx";
import { TimelineTab } from "./timeline-tab.tsx";
import { WhyNotDone } from "./why-not-done.tsx";

type StackRoute = Extract<Route, { screen: "stack" }>;

const TITLES: Readonly<Record<StackTab, string>> = {
  resources: "Resources",
  graph: "Graph",
  timeline: "Timeline",
  events: "Events",
  outputs: "Outputs",
  template: "Template",
};

const loadGraph = () => import("./graph-tab.tsx");

const LoadedGraph = ({ session, route }: { session: Session; route: StackRoute }) => {
  const { module, error } = useModule(loadGraph);
  if (module === null) return error === null ? <Waiting /> : <Failure text={error} />;
  const stack = { stack_name: route.name, id: route.id };
  return <module.GraphTab session={session} stack={stack} chosen={route.resource} />;
};

interface Loaded extends TabProps {
  readonly route: StackRoute;
  readonly resources: readonly WireResource[];
}

const Tab = ({ route, resources, ...props }: Loaded) => {
  const chosen = route.resource;
  switch (route.tab) {
    case "resources":
      return <ResourceRows resources={resources} chosen={chosen} hrefOf={props.hrefOf} />;
    case "graph":
      return <LoadedGraph session={props.session} route={route} />;
    case "timeline":
      return <TimelineTab {...props} />;
    case "events":
      return <EventsTab {...props} />;
    case "outputs":
      return <OutputsTab {...props} />;
    case "template":
      return <TemplateTab {...props} chosen={chosen} />;
  }
};

const Heading = ({ stack }: { stack: Stack }) => (
  <>
    <div class="heading">
      <h1>{stack.stack_name}</h1>
      <Status status={stack.stack_status} />
      <ProgressText progress={stack.progress} />
      {(stack.tags ?? []).map((tag) => (
        <span class="tag" key={tag}>
          {tag}
        </span>
      ))}
    </div>
    {stack.description && stack.description !== "No description" && (
      <p class="quiet">{stack.description}</p>
    )}
    {stack.stack_status === "DELETE_COMPLETE" && (
      <p class="empty">This stack is deleted. Only its events are still here.</p>
    )}
    {stack.stack_status.endsWith("_FAILED") && <p class="failure">{stack.stack_status_reason}</p>}
  </>
);

const Tabs = ({ route }: { route: StackRoute }) => (
  <nav class="tabs" aria-label="Parts of the stack">
    {STACK_TABS.map((tab) => (
      <a
        key={tab}
        href={hashOf({ ...route, tab })}
        aria-current={tab === route.tab ? "page" : undefined}
      >
        {TITLES[tab]}
      </a>
    ))}
  </nav>
);

export const StackScreen = ({ session, route }: { session: Session; route: StackRoute }) => {
  const client = useMemo(() => clientOf(session), [session]);
  const name = { stack_name: route.name, id: route.id };
  const concerns = (hint: Hint): boolean => hint === "all" || hint.includes(route.id);
  const stack = useLive(`stack/${route.id}`, () => readStack(client, name), concerns);
  const resources = useLive(`resources/${route.id}`, () => client.resources(name), concerns);
  const graph = useMemo(() => graphOf(resources.value ?? []), [resources.value]);
  const hrefOf = (resource: string | null): string => hashOf({ ...route, resource });
  const props = { session, route, hrefOf, resources: resources.value ?? [] };
  return (
    <>
      <Failure text={stack.error ?? resources.error} />
      {stack.value === null && stack.error === null && <Waiting />}
      {stack.value !== null && (
        <>
          <Heading stack={stack.value} />
          <Owner session={session} stack={stack.value} />
          <StackActions session={session} stack={stack.value} reload={stack.reload} />
          <WhyNotDone session={session} stack={stack.value} hrefOf={hrefOf} />
          <Tabs route={route} />
          <div class={route.resource === null ? "stack" : "stack with-panel"}>
            <div class="stack-part">
              {resources.value !== null && <Tab {...props} stack={stack.value} />}
            </div>
            {route.resource !== null && (
              <ResourcePanel
                session={session}
                stack={stack.value}
                name={route.resource}
                graph={graph}
                hrefOf={hrefOf}
              />
            )}
          </div>
        </>
      )}
    </>
  );
};
