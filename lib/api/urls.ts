/** Absolute URLs on the host under which clients reach Hearth. */
import type { StackIdentity } from "#lib/engine/stacks/find-stack.ts";

const path = (...segments: readonly string[]): string =>
  segments.map((segment) => `/${encodeURIComponent(segment)}`).join("");

export const tenantUrl = (callersUrl: string, tenant: string): string =>
  `${callersUrl}/v1${path(tenant)}`;

export const stackUrl = (callersUrl: string, stack: StackIdentity): string =>
  `${tenantUrl(callersUrl, stack.tenant)}/stacks${path(stack.name, stack.id)}`;

export const resourceUrl = (callersUrl: string, stack: StackIdentity, resource: string): string =>
  `${stackUrl(callersUrl, stack)}/resources${path(resource)}`;

export const link = (href: string, rel = "self") => ({ href, rel });
