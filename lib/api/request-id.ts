/**
 * OpenStack's services name each answer by an id, which clients show beside an error. The log has
 * the same id.
 */
import { mergedMaps } from "#lib/json-map.ts";
import type { ApiResponse } from "./http.ts";

export const REQUEST_ID_HEADER = "x-openstack-request-id";

export const requestIdOf = (id: string): string => `req-${id}`;

export const withRequestId = (response: ApiResponse, id: string): ApiResponse => ({
  ...response,
  headers: mergedMaps(response.headers, { [REQUEST_ID_HEADER]: id }),
});
