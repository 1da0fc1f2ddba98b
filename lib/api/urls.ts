/** Absolute URLs of things, on the host that clients reach us by. */

export interface StackReference {
  readonly tenant: string;
  readonly name: string;
  readonly id: string;
}

export interface Link {
  readonly href: string;
  readonly rel: string;
}

const path = (...segments: readonly string[]): string =>
  segments.map((segment) => `/${encodeURIComponent(segment)}`).join("");

export const tenantUrl = (callersUrl: string, tenant: string): string =>
  `${callersUrl}/v1${path(tenant)}`;

export const stackUrl = (callersUrl: string, stack: StackReference): string =>
  `${tenantUrl(callersUrl, stack.tenant)}/stacks${path(stack.name, stack.id)}`;

export const resourceUrl = (callersUrl: string, stack: StackReference, resource: string): string =>
  `${stackUrl(callersUrl, stack)}/resources${path(resource)}`;

export const link = (href: string, rel = "self") => ({ href, rel }) satisfies Link;
