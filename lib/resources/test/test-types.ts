/** The types for tests. Their objects are at the fake provider. */
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { testResource } from "./test-resource.ts";
import { testScenario } from "./test-scenario.ts";
import { testTokenless } from "./test-tokenless.ts";

export const testTypes = (provider: FakeProvider): readonly ResourceType[] => [
  testResource(provider),
  testScenario(provider),
  testTokenless(provider),
];
