import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { withoutProvider } from "#lib/resources/cloud/without-provider.ts";
import { NO_FAKE_PROVIDER } from "./fake-provider-calls.ts";
import { testResource } from "./test-resource.ts";
import { testScenario } from "./test-scenario.ts";
import { testTokenless } from "./test-tokenless.ts";

/**
 * The test types of a host that has them disabled. They are still known, so a stack with such
 * resources cannot be deleted silently while its objects remain.
 */
export const refusedTestTypes = (): readonly ResourceType[] =>
  testTypes(NO_FAKE_PROVIDER).map(({ type, schema }) => {
    const why = `${type} is a type for tests, which are off here. A deployment has them with the setting testTypes=yes.`;
    const hidden = { ...schema, support: { ...schema.support, status: "HIDDEN" as const } };
    return withoutProvider({ type, schema: hidden }, why);
  });

export const testTypes = (provider: FakeProvider): readonly ResourceType[] => [
  testResource(provider),
  testScenario(provider),
  testTokenless(provider),
];
