/**
 * Pages of the list of resources. Heat has none, so a request that asks for none gets the whole
 * list, as from Heat.
 */
import type { ResourceListQuery } from "#lib/engine/list-resources.ts";
import type { ResourceMarker } from "#lib/engine/paged-resources.ts";
import type { ResourceView } from "#lib/engine/resource-view.ts";
import { badRequest } from "#lib/errors.ts";
import { mergedMaps } from "#lib/json-map.ts";
import { type Context, identityOf } from "./context.ts";
import { pageOf, type Query, queryString } from "./query.ts";
import { link, stackUrl } from "./urls.ts";

/** Neither ids nor names have a slash. */
const markerOf = (text: string): ResourceMarker => {
  const [stackId = "", name = "", ...rest] = text.split("/");
  if (stackId === "" || name === "" || rest.length > 0) {
    throw badRequest(`The marker "${text}" is not of the form STACK_ID/RESOURCE_NAME.`);
  }
  return { stackId, name };
};

export const resourcePageIn = (query: Query): ResourceListQuery["page"] => {
  const { marker, limit: size } = pageOf(query);
  // Heat's list of resources knows no limit, so a page of none is the whole list.
  const limit = size === 0 ? undefined : size;
  if (limit === undefined && marker === undefined) return null;
  return {
    after: marker === undefined ? null : markerOf(marker),
    limit: limit ?? Number.POSITIVE_INFINITY,
  };
};

/** The same request for what comes behind the last resource of a page. */
export const nextResources = (context: Context, { stack, name }: ResourceView) => {
  const query = mergedMaps(context.request.query, { marker: [`${stack.id}/${name}`] });
  const list = `${stackUrl(context.callersUrl, identityOf(context))}/resources`;
  return link(`${list}${queryString(query)}`, "next");
};
