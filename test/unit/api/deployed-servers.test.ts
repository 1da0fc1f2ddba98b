import { describe, expect, it, vi } from "vitest";
import { present } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const templateOf = (properties: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  heat_template_version: "2016-10-14",
  parameters: { word: { type: "string", default: "w1" } },
  resources: {
    secret: { type: "OS::Heat::Value", properties: { value: "of another" } },
    server: { type: "OS::Heat::DeployedServer", properties, metadata },
  },
});

const documentOf = async (world: World, path: string): Promise<JsonObject> => {
  const { body } = await world.send("GET", `${path}/resources/server`);
  const place = ["resource", "attributes", "os_collect_config", "request", "metadata_url"];
  const { searchParams } = new URL(textAt(body, ...place));
  const id = textAt(body, "resource", "physical_resource_id");
  const { document } = await serveMetadata(world.ports, id, {
    method: "GET",
    query: Object.fromEntries(searchParams),
  });
  return present(document, "the document");
};

const reasonsOf = async (world: World, path: string): Promise<readonly Json[]> => {
  const { body } = await world.send("GET", `${path}/resources/server/events`);
  return listAt(body, "events").map((one) => at(one, "resource_status_reason") ?? null);
};

const warning = (transport: string): string =>
  `Warning: ${transport} is delivered as a signed URL, as with POLL_TEMP_URL`;

describe("the metadata of a server", () => {
  it("is in the document, and the metadata section wins over the property", async () => {
    const world = openWorld();
    const metadata = { both: "section", other: { get_attr: ["secret", "value"] } };
    const property = { one: "1", both: "property" };
    const template = templateOf({ metadata: property }, metadata);
    const path = await createStack(world, "app", { template });
    await world.settle();
    const document = await documentOf(world, path);
    expect(document).toMatchObject({ one: "1", both: "section", other: "of another" });
    expect(document["deployments"]).toEqual([]);
    expect(document["os-collect-config"]).toMatchObject({ request: {} });
    const { body } = await world.send("GET", `${path}/resources/server/metadata`);
    expect(body).toEqual({ metadata: { both: "section", other: "of another" } });
    expect(world.unexpected).toEqual([]);
  });

  it("follows updates of both, and of a parameter in them, on the same server", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template: templateOf({}) });
    await world.settle();
    const update = async (template: JsonObject, parameters: JsonObject = {}) => {
      await world.send("PUT", path, { template, parameters });
      await world.settle();
      return documentOf(world, path);
    };
    const serverId = async () =>
      textAt(
        (await world.send("GET", `${path}/resources/server`)).body,
        "resource",
        "physical_resource_id",
      );
    const before = await serverId();
    expect(await update(templateOf({ metadata: { a: "1" } }))).toMatchObject({ a: "1" });
    const section = templateOf({}, { a: "2", word: { get_param: "word" } });
    expect(await update(section)).toMatchObject({ a: "2", word: "w1" });
    expect(await update(section, { word: "w2" })).toMatchObject({ word: "w2" });
    expect(await update(templateOf({}))).not.toHaveProperty("word");
    expect(await serverId()).toBe(before);
  });

  it("changes nothing on the server if it stays the same", async () => {
    const world = openWorld();
    const template = templateOf({}, { a: "1" });
    const path = await createStack(world, "app", { template });
    await world.settle();
    await world.send("PUT", path, { template });
    await world.settle();
    const { body } = await world.send("GET", `${path}/resources/server`);
    expect(at(body, "resource", "resource_status")).toBe("CREATE_COMPLETE");
  });

  it.each([
    ["property", templateOf({ metadata: { deployments: [] } })],
    ["section", templateOf({}, { deployments: [] })],
  ])("refuses deployments in its %s", async (_where, template) => {
    const answer = await openWorld().send("POST", "/stacks", { stack_name: "app", template });
    expect([answer.status, at(answer.body, "error", "message")]).toEqual([
      400,
      "deployments key not allowed in resource metadata with user_data_format of SOFTWARE_CONFIG",
    ]);
  });
});

describe("the URL of a server's document", () => {
  it("gets a new signature for each read, in the attribute and in outputs", async () => {
    const world = openWorld();
    const outputs = { agent: { value: { get_attr: ["server", "os_collect_config"] } } };
    const path = await createStack(world, "app", { template: { ...templateOf({}), outputs } });
    await world.settle();
    const { signer } = world.ports;
    const sign = vi.spyOn(signer, "sign").mockImplementation((grant) => ({
      kid: "rotated",
      sig: "anew",
      exp: grant.exp,
      gen: grant.gen,
    }));
    const { body } = await world.send("GET", `${path}/resources/server`);
    const place = ["resource", "attributes", "os_collect_config", "request", "metadata_url"];
    expect(textAt(body, ...place)).toContain("kid=rotated&");
    const shown = await world.send("GET", path);
    expect(JSON.stringify(at(shown.body, "stack", "outputs"))).toContain("kid=rotated&");
    sign.mockRestore();
  });
});

describe("a transport that is delivered as a signed URL", () => {
  it.each(["POLL_SERVER_HEAT", "ZAQAR_MESSAGE", "POLL_SERVER_CFN"])(
    "is warned of where the template names it: %s",
    async (transport) => {
      const world = openWorld();
      const template = templateOf({ software_config_transport: transport });
      const path = await createStack(world, "app", { template });
      await world.settle();
      expect(await reasonsOf(world, path)).toContain(warning(transport));
    },
  );

  it("makes one warning when an update asks for it, and none as a default", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template: templateOf({}) });
    await world.settle();
    const update = async (properties: JsonObject) => {
      await world.send("PUT", path, { template: templateOf(properties) });
      await world.settle();
      return (await reasonsOf(world, path)).filter((one) => String(one).startsWith("Warning"));
    };
    expect(await update({ software_config_transport: "POLL_TEMP_URL" })).toEqual([]);
    const asked = { software_config_transport: "ZAQAR_MESSAGE" };
    expect(await update(asked)).toEqual([warning("ZAQAR_MESSAGE")]);
    expect(await update({ ...asked, name: "other" })).toEqual([warning("ZAQAR_MESSAGE")]);
  });
});
