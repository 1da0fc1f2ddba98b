/** Absolute URLs on the host under which clients reach Hearth. */
import type { StackIdentity } from "#lib/engine/find-stack.ts";
import type { Ports } from "#lib/ports/ports.ts";

const path = (...segments: readonly string[]): string =>
  segments.map((segment) => `/${encodeURIComponent(segment)}`).join("");

/** The address that the caller used. */
export const callersUrl = ({ publicUrl, callersBase }: Ports): string =>
  `${publicUrl}${callersBase ?? ""}`;

export const tenantUrl = (ports: Ports, tenant: string): string =>
  `${callersUrl(ports)}/v1${path(tenant)}`;

export const stackUrl = (ports: Ports, stack: StackIdentity): string =>
  `${tenantUrl(ports, stack.tenant)}/stacks${path(stack.name, stack.id)}`;

export const resourceUrl = (ports: Ports, stack: StackIdentity, resource: string): string =>
  `${stackUrl(ports, stack)}/resources${path(resource)}`;

export const link = (href: string, rel = "self") => ({ href, rel });
