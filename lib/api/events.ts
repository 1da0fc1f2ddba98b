/** The events of a stack or of one resource. Clients poll them to see an operation end. */
import { eventProperties } from "#lib/engine/events/event-properties.ts";
import type { OwnEvent } from "#lib/engine/events/events-in-order.ts";
import { type EventListQuery, listEvents, physicalIdOf } from "#lib/engine/events/list-events.ts";
import { RequestError } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { Stack } from "#lib/model/stack.ts";
import { type Context, identityOf, link, param, resourceUrl, STACK, stackUrl } from "./context.ts";
import { documentAt, type Route } from "./declared-route.ts";
import { isoTime } from "./http.ts";
import { ascendingOf, integerOf, multiple, pageOf, type Query } from "./query.ts";

const RESOURCE_EVENTS = `${STACK}/resources/{resource_name}/events`;

const eventSummary = ({ ports, callersUrl }: Context, root: Stack, own: OwnEvent) => {
  const { stack, event } = own;
  const resource = resourceUrl(callersUrl, stack, event.resourceName);
  const stackHref = stackUrl(callersUrl, stack);
  return {
    id: event.id,
    links: [
      link(`${resource}/events/${encodeURIComponent(event.id)}`),
      link(resource, "resource"),
      link(stackHref, "stack"),
      link(stackUrl(callersUrl, root), "root_stack"),
    ],
    event_time: isoTime(event.time),
    logical_resource_id: event.resourceName,
    resource_name: event.resourceName,
    physical_resource_id: physicalIdOf(ports, own),
    resource_status: `${event.resourceAction}_${event.resourceStatus}`,
    resource_status_reason: event.reason,
    ...(event.actor === undefined ? {} : { actor: event.actor }),
  };
};

const filtersOf = (query: Query, resourceName?: string): EventListQuery["filters"] => ({
  resourceName: resourceName === undefined ? multiple(query, "resource_name") : [resourceName],
  resourceType: multiple(query, "resource_type"),
  resourceAction: multiple(query, "resource_action"),
  resourceStatus: multiple(query, "resource_status"),
});

const listQueryOf = (query: Query, resourceName?: string): EventListQuery => {
  return {
    filters: filtersOf(query, resourceName),
    descending: !ascendingOf(query, false),
    nestedDepth: integerOf(query, "nested_depth") ?? 0,
    ...pageOf(query),
  };
};

const listOf = async (context: Context, query: EventListQuery): Promise<JsonObject[]> => {
  const { root, events } = await listEvents(context.ports, identityOf(context), query);
  return events.map((event) => eventSummary(context, root, event));
};

const list = async (context: Context): Promise<Json> => ({
  events: await listOf(context, listQueryOf(context.request.query)),
});

const listForResource = async (context: Context): Promise<Json> => {
  const name = param(context, "resource_name");
  const events = await listOf(context, listQueryOf(context.request.query, name));
  if (events.length === 0) {
    throw new RequestError("HTTPNotFound", 404, `No events found for resource ${name}`);
  }
  return { events };
};

const show = async (context: Context): Promise<Json> => {
  const query = listQueryOf({}, param(context, "resource_name"));
  const { root, events } = await listEvents(context.ports, identityOf(context), query);
  const id = param(context, "event_id");
  const found = events.find((other) => other.event.id === id);
  if (!found) throw new RequestError("HTTPNotFound", 404, `No event ${id} found`);
  return {
    event: {
      ...eventSummary(context, root, found),
      resource_type: found.event.resourceType,
      resource_properties: await eventProperties(
        context.ports,
        found,
        events.map(({ event }) => event),
      ),
    },
  };
};

const OF_RESOURCE = [
  "resource_type",
  "resource_action",
  "resource_status",
  "nested_depth",
  "sort_dir",
  "limit",
  "marker",
] as const;

export const eventRoutes: readonly Route[] = [
  documentAt("GET", `${STACK}/events`, list, {
    summary: "The events of a stack",
    query: ["resource_name", ...OF_RESOURCE],
    answers: { 200: "EventsAnswer" },
  }),
  documentAt("GET", RESOURCE_EVENTS, listForResource, {
    summary: "The events of a resource",
    query: OF_RESOURCE,
    answers: { 200: "EventsAnswer" },
  }),
  documentAt("GET", `${RESOURCE_EVENTS}/{event_id}`, show, {
    summary: "An event",
    answers: { 200: "EventAnswer" },
  }),
];
