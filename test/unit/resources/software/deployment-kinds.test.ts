import { describe, expect, it } from "vitest";
import { documentOf, inputOf, putRow, site } from "#test/unit/software-config/deployed.ts";
import { aCall, act, aRow, call } from "../world.ts";

const TYPE = "OS::Heat::SoftwareDeployment";

describe("a transport that needs Keystone", () => {
  it.each(["HEAT_SIGNAL", "ZAQAR_SIGNAL"])(
    "%s becomes a signed URL, with a warning",
    async (transport) => {
      const { at, given } = await site();
      const row = aRow(TYPE, "dep");
      const request = await aCall(at, row, "CREATE", { ...given, signal_transport: transport });
      await putRow(at, request);
      expect(await call(at, row, request)).toMatchObject({ state: "waiting" });
      expect(await inputOf(at, "deploy_signal_id")).toMatch(/^https:.*sig=/);
      const stored = await at.store.getResource({ stackId: "stack-1", id: request.resourceId });
      expect(stored?.signalReason).toBe(
        `Warning: ${transport} is delivered as a signed URL, as with TEMP_URL_SIGNAL`,
      );
    },
  );
});

describe("OS::Heat::StructuredDeployment", () => {
  const STRUCTURED = "OS::Heat::StructuredDeployment";
  const structuredSite = async () => {
    const { at, given } = await site();
    const config = aRow("OS::Heat::StructuredConfig", "data");
    const data = { port: { my_input: "port" }, action: { my_input: "deploy_action" } };
    await act(at, config, "CREATE", { group: "json-file", config: data });
    return { at, given: { ...given, config: config.physicalResourceId, input_key: "my_input" } };
  };

  it("shows the server its config with the inputs in it", async () => {
    const { at, given } = await structuredSite();
    const row = aRow(STRUCTURED, "dep");
    await act(at, row, "CREATE", { ...given, input_values: { port: [80] } });
    expect((await documentOf(at)).deployments).toMatchObject([
      { group: "json-file", config: { port: [80], action: "CREATE" } },
    ]);
  });

  it("fails in strict mode without an input, and publishes nothing", async () => {
    const { at, given } = await structuredSite();
    const row = aRow(STRUCTURED, "dep");
    const strict = { ...given, input_values_validate: "STRICT" };
    expect(await act(at, row, "CREATE", strict)).toEqual({
      state: "failed",
      reason: "The Parameter (port) was not provided.",
      errorType: "UserParameterMissing",
    });
    expect(at.softwareConfigs.deployments()).toEqual([]);
    expect(await act(at, row, "DELETE", strict)).toMatchObject({ state: "finished" });
  });
});
