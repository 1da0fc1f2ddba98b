/** A template names another tenant's servers and configs by their ids. */
import { describe, expect, it } from "vitest";
import type { ProviderCall } from "#lib/ports/resource-type.ts";
import { aCall, aRow, call, type World } from "#test/unit/resources/world.ts";
import { deployed, documentOf, serverOf } from "./deployed.ts";

const foreignCall = async (
  at: World,
  given: ProviderCall["properties"],
): Promise<ProviderCall> => ({
  ...(await aCall(at, aRow("OS::Heat::SoftwareDeployment", "theirs"), "CREATE", given)),
  tenant: "other",
  stackId: "stack-2",
  stackName: "theirs",
  resourceId: "row-theirs",
});

const everythingOf = (at: World): string =>
  JSON.stringify([at.softwareConfigs.deployments(), at.softwareConfigs.signalTargets()]);

describe("a deployment", () => {
  it.each(["CFN_SIGNAL", "TEMP_URL_SIGNAL", "NO_SIGNAL"])(
    "on another tenant's server fails with %s as if the server did not exist",
    async (signal_transport) => {
      const { at } = await deployed();
      const server = serverOf(at);
      const [before, document] = [everythingOf(at), await documentOf(at)];
      const request = await foreignCall(at, { server: server.id, signal_transport });
      const row = aRow("OS::Heat::SoftwareDeployment", "theirs");
      expect(await call(at, row, request)).toMatchObject({
        state: "failed",
        reason: `The Server (${server.id}) could not be found.`,
      });
      expect(everythingOf(at)).toBe(before);
      expect(await documentOf(at)).toEqual(document);
    },
  );

  it("of another tenant's config fails as if the config did not exist", async () => {
    const { at, request } = await deployed();
    const config = String(request.properties["config"]);
    const before = everythingOf(at);
    const theirs = await foreignCall(at, { config, server: "any" });
    expect(await call(at, aRow("OS::Heat::SoftwareDeployment", "theirs"), theirs)).toMatchObject({
      state: "failed",
      reason: `The Software Config (${config}) could not be found.`,
    });
    expect(everythingOf(at)).toBe(before);
  });

  it("on another tenant's server publishes nothing on DELETE", async () => {
    const { at } = await deployed();
    const server = serverOf(at);
    const document = await documentOf(at);
    const request = {
      ...(await foreignCall(at, { server: server.id })),
      action: "DELETE" as const,
    };
    const row = aRow("OS::Heat::SoftwareDeployment", "theirs");
    expect(await call(at, row, request)).toMatchObject({ state: "finished" });
    expect(await documentOf(at)).toEqual(document);
  });
});
