/**
 * OpenStack's services give each answer an id, which clients show beside an error. The log has the
 * same id.
 */
export const REQUEST_ID_HEADER = "x-openstack-request-id";

export const requestIdOf = (id: string): string => `req-${id}`;
