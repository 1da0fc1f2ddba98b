import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Handler, ResourceType } from "#lib/ports/resource-type.ts";
import { progressAfter } from "./fake-provider-calls.ts";
import { testScenario } from "./test-scenario.ts";

const TOKENLESS = "Hearth::Test::Tokenless";

const createWithoutToken =
  (provider: FakeProvider): Handler =>
  async (call, context) => {
    const { tenant, stackName, resourceName: logicalName, properties } = call;
    const token = `${call.token}/${context.ids.fresh()}`;
    const request = {
      token,
      tenant,
      stackName,
      logicalName,
      type: TOKENLESS,
      properties,
      waitMs: 0,
    };
    return progressAfter(call, context, await provider.create(request), properties);
  };

/**
 * Like Hearth::Test::Scenario, but its provider ignores tokens. If the answer of a call is lost, it
 * is unknown whether an object was made.
 */
export const testTokenless = (provider: FakeProvider): ResourceType => {
  const scenario = testScenario(provider);
  return {
    type: TOKENLESS,
    schema: {
      ...scenario.schema,
      description: "An object at a provider that ignores tokens, for lost creations.",
    },
    lifecycle: {
      ...scenario.lifecycle,
      tokenPolicy: { tokens: "ignored" },
      handleCreate: createWithoutToken(provider),
    },
  };
};
