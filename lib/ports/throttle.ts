export interface Throttle {
  /**
   * Counts one request in the window that begins at `windowStart`. The count may be forgotten from
   * `expiresAt` on.
   * @returns the tenant's count in this window, this request included.
   */
  count(tenant: string, windowStart: number, expiresAt: number): Promise<number>;
}
