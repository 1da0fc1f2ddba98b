/** Counts the requests of tenants, so that each can have a limit. */
export interface Throttle {
  /**
   * Counts one request of a tenant in the window that begins at `windowStart`. Returns how many it
   * has counted there, this one included. The count may be forgotten from `expiresAt` on.
   */
  count(tenant: string, windowStart: number, expiresAt: number): Promise<number>;
}
