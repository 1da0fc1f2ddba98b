/** Absolute URLs on the host under which clients reach Hearth. */
import type { Ports } from "#lib/ports/ports.ts";

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

/** The address that the caller used. */
export const callersUrl = ({ publicUrl, callersBase }: Ports): string =>
  `${publicUrl}${callersBase ?? ""}`;

export const tenantUrl = (ports: Ports, tenant: string): string =>
  `${callersUrl(ports)}/v1${path(tenant)}`;

export const stackUrl = (ports: Ports, stack: StackReference): string =>
  `${tenantUrl(ports, stack.tenant)}/stacks${path(stack.name, stack.id)}`;

export const resourceUrl = (ports: Ports, stack: StackReference, resource: string): string =>
  `${stackUrl(ports, stack)}/resources${path(resource)}`;

export const link = (href: string, rel = "self") => ({ href, rel }) satisfies Link;
