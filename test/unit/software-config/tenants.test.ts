/** Another tenant's servers, configs and deployments, named by their ids in a template of one's own. */
import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import type { ProviderCall } from "#lib/ports/resource-type.ts";
import { aCall, aRow, call, type World } from "#test/unit/resources/world.ts";
import { deployed, documentOf } from "./deployed.ts";

/** A deployment of a stranger's, with what it was given of somebody else's. */
const strangersCall = async (
  at: World,
  given: ProviderCall["properties"],
): Promise<ProviderCall> => ({
  ...(await aCall(at, aRow("OS::Heat::SoftwareDeployment", "theirs"), "CREATE", given)),
  ...{ tenant: "other", stackId: "stack-2", stackName: "theirs", resourceId: "row-theirs" },
});

const everythingOf = (at: World): string =>
  JSON.stringify([at.softwareConfigs.deployments(), at.softwareConfigs.signalTargets()]);

describe("a stranger's deployment", () => {
  it.each(["CFN_SIGNAL", "TEMP_URL_SIGNAL", "NO_SIGNAL"])(
    "on another tenant's server is refused with %s as if there were none",
    async (signal_transport) => {
      const { at } = await deployed();
      const server = present(at.softwareConfigs.servers()[0], "server");
      const [before, document] = [everythingOf(at), await documentOf(at)];
      const request = await strangersCall(at, { server: server.id, signal_transport });
      const row = aRow("OS::Heat::SoftwareDeployment", "theirs");
      expect(await call(at, row, request)).toMatchObject({
        state: "failed",
        reason: `The Server (${server.id}) could not be found.`,
      });
      expect(everythingOf(at)).toBe(before);
      expect(await documentOf(at)).toEqual(document);
    },
  );

  it("of another tenant's config is refused as if there were none", async () => {
    const { at, request } = await deployed();
    const config = String(request.properties["config"]);
    const before = everythingOf(at);
    const theirs = await strangersCall(at, { config, server: "any" });
    expect(await call(at, aRow("OS::Heat::SoftwareDeployment", "theirs"), theirs)).toMatchObject({
      state: "failed",
      reason: `The Software Config (${config}) could not be found.`,
    });
    expect(everythingOf(at)).toBe(before);
  });

  it("cannot be deleted into another tenant's document", async () => {
    const { at } = await deployed();
    const server = present(at.softwareConfigs.servers()[0], "server");
    const document = await documentOf(at);
    const request = {
      ...(await strangersCall(at, { server: server.id })),
      action: "DELETE" as const,
    };
    const row = aRow("OS::Heat::SoftwareDeployment", "theirs");
    expect(await call(at, row, request)).toMatchObject({ state: "finished" });
    expect(await documentOf(at)).toEqual(document);
  });
});
