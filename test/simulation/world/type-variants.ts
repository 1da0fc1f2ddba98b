import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Blobs, Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { testScenario } from "#lib/resources/fake-provider/test-scenario.ts";

export interface SimulatedBackEnd {
  readonly engine: Ports;
  readonly provider: FakeProvider;
  readonly blobs: Blobs;
}

export const missing = { state: "failed", reason: "object is missing" } as const;

export const variant = (
  { provider }: SimulatedBackEnd,
  type: string,
  changed: Partial<ResourceType["lifecycle"]>,
): ResourceType => {
  const scenario = testScenario(provider);
  return { ...scenario, type, lifecycle: { ...scenario.lifecycle, ...changed } };
};
