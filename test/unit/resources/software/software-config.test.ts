import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import { openConfig } from "#lib/software-config/configs/config-content.ts";
import { aCall, act, aRow, attributesOf, call, problemOf, type World, world } from "../world.ts";

const CONFIG = "OS::Heat::SoftwareConfig";
const COMPONENT = "OS::Heat::SoftwareComponent";
const SERVER = "OS::Heat::DeployedServer";

const contentOf = async (at: World) => {
  const record = present(at.softwareConfigs.configs()[0], "config");
  return openConfig(at.ports.cipher, record);
};

describe("OS::Heat::SoftwareConfig", () => {
  it("stores its sealed content under one id when the call is repeated", async () => {
    const [at, row] = [world(), aRow(CONFIG)];
    const inputs = [{ name: "port", type: "Number", default: "80" }];
    const request = await aCall(at, row, "CREATE", {
      config: "#!/bin/sh",
      group: "script",
      inputs,
    });
    await call(at, row, request);
    const progress = await call(at, row, request);
    expect(attributesOf(progress)).toEqual({ config: "#!/bin/sh" });
    expect(at.softwareConfigs.configs()).toHaveLength(1);
    expect(await contentOf(at)).toMatchObject({
      name: expect.stringMatching(/^web-res-.{12}$/),
      group: "script",
      config: "#!/bin/sh",
      inputs: [{ name: "port", type: "Number", default: 80 }],
      outputs: [],
      options: {},
    });
  });

  it("belongs to no tool by default", async () => {
    const at = world();
    await act(at, aRow(CONFIG), "CREATE", {});
    expect(await contentOf(at)).toMatchObject({ group: "Heat::Ungrouped", config: "" });
  });

  it("is refused if the default of an input is not of its type", async () => {
    const given = { inputs: [{ name: "a", type: "Number", default: "x" }] };
    const problem = "Property error: default: could not convert string to float: 'x'";
    expect(await problemOf(CONFIG, given)).toBe(problem);
    expect(await act(world(), aRow(CONFIG), "CREATE", given)).toMatchObject({ reason: problem });
  });

  it("is deleted, and deleting it again succeeds", async () => {
    const [at, row] = [world(), aRow(CONFIG)];
    await act(at, row, "CREATE", {});
    const request = await aCall(at, row, "DELETE");
    await call(at, row, request);
    expect(await call(at, row, request)).toEqual({ state: "finished", physicalResourceId: null });
    expect(at.softwareConfigs.configs()).toEqual([]);
  });
});

describe("OS::Heat::SoftwareComponent", () => {
  it("stores all its configurations as one", async () => {
    const at = world();
    const progress = await act(at, aRow(COMPONENT), "CREATE", { configs: [{ tool: "script" }] });
    const configs = [{ actions: ["CREATE", "UPDATE"], config: "", tool: "script" }];
    expect(attributesOf(progress)).toEqual({ config: null });
    expect(await contentOf(at)).toMatchObject({ group: "component", config: { configs } });
  });

  it("has at most one configuration for each action", async () => {
    const text =
      'Defining more than one configuration for the same action in SoftwareComponent "res" is not allowed.';
    const entry = { tool: "script", actions: ["CREATE"] };
    expect(await problemOf(COMPONENT, { configs: [entry, entry] })).toBe(text);
    expect(await problemOf(COMPONENT, { configs: [{ tool: "a" }, { tool: "b" }] })).toBe(text);
    const repeated = { tool: "script", actions: ["CREATE", "CREATE"] };
    expect(await problemOf(COMPONENT, { configs: [repeated] })).toBeNull();
  });
});

describe("a component whose configurations depend on other resources", () => {
  it("is refused as soon as they are known", async () => {
    const entry = { tool: "script", actions: ["CREATE"] };
    const progress = await act(world(), aRow(COMPONENT), "CREATE", { configs: [entry, entry] });
    expect(progress).toMatchObject({ state: "failed", errorType: "StackValidationFailed" });
  });
});

describe("OS::Heat::DeployedServer", () => {
  it("gives its agent's configuration, and the same after an update", async () => {
    const [at, row] = [world(), aRow(SERVER)];
    const first = attributesOf(await act(at, row, "CREATE", {}));
    const prefix = `https://hearth.example/v1/agent/metadata/${row.physicalResourceId}?kid=`;
    expect(first).toEqual({
      name: expect.stringMatching(/^web-res-/),
      os_collect_config: {
        collectors: ["request"],
        request: { metadata_url: expect.stringContaining(prefix) },
      },
    });
    const second = attributesOf(await act(at, row, "UPDATE", { name: "web-1" }));
    expect(second).toEqual({ ...first, name: "web-1" });
  });

  it("gets its deployments by a signed URL with every transport", async () => {
    const given = { software_config_transport: "ZAQAR_MESSAGE" };
    const attributes = attributesOf(await act(world(), aRow(SERVER), "CREATE", given));
    expect(attributes).toMatchObject({ os_collect_config: { collectors: ["request"] } });
  });

  it("loses its record when it is deleted", async () => {
    const [at, row] = [world(), aRow(SERVER)];
    await act(at, row, "CREATE", {});
    await act(at, row, "DELETE");
    expect(at.softwareConfigs.servers()).toEqual([]);
  });
});

describe("OS::Heat::StructuredConfig", () => {
  it("keeps its content as a map", async () => {
    const at = world();
    const config = { a: { get_input: "b" }, list: [1, "x"] };
    const progress = await act(at, aRow("OS::Heat::StructuredConfig"), "CREATE", {
      group: "json-file",
      config,
    });
    expect(attributesOf(progress)).toEqual({ config });
    expect(await contentOf(at)).toMatchObject({ group: "json-file", config });
  });

  it("is empty by default", async () => {
    const at = world();
    await act(at, aRow("OS::Heat::StructuredConfig"), "CREATE", {});
    expect(await contentOf(at)).toMatchObject({ group: "Heat::Ungrouped", config: {} });
  });
});

describe("OS::Heat::CloudConfig", () => {
  it("is stored as the text that cloud-init reads", async () => {
    const at = world();
    const given = { cloud_config: { runcmd: ["echo 1"], hostname: "web" } };
    const progress = await act(at, aRow("OS::Heat::CloudConfig"), "CREATE", given);
    const config = "#cloud-config\nhostname: web\nruncmd:\n- echo 1\n";
    expect(attributesOf(progress)).toEqual({ config });
    expect(await contentOf(at)).toMatchObject({ group: "Heat::Ungrouped", config });
  });
});

describe("OS::Heat::MultipartMime", () => {
  const MIME = "OS::Heat::MultipartMime";

  it("takes the texts of configs by their ids, and an unknown id as a text", async () => {
    const at = world();
    const [script, data] = [aRow(CONFIG, "a"), aRow("OS::Heat::StructuredConfig", "b")];
    await act(at, script, "CREATE", { config: "#!/bin/sh\necho hi" });
    await act(at, data, "CREATE", { config: { a: 1 } });
    const unknown = "11111111-2222-3333-4444-555555555555";
    const ids = [script.physicalResourceId, data.physicalResourceId, unknown];
    const parts = ids.map((config) => ({ config }));
    const { config } = attributesOf(await act(at, aRow(MIME, "m"), "CREATE", { parts }));
    for (const text of ["\n#!/bin/sh\necho hi\n", '\n{"a": 1}\n', `\n${unknown}\n`]) {
      expect(config).toContain(text);
    }
  });

  it("does not read the configs of another tenant", async () => {
    const at = world();
    const script = aRow(CONFIG, "a");
    await act(at, script, "CREATE", { config: "secret" });
    const parts = [{ config: script.physicalResourceId }];
    const request = {
      ...(await aCall(at, aRow(MIME, "m"), "CREATE", { parts })),
      tenant: "stranger",
    };
    const { config } = attributesOf(await call(at, aRow(MIME, "m"), request));
    expect(config).not.toContain("secret");
  });

  it("splits a message into its parts, and makes the same message in a repeated call", async () => {
    const at = world();
    const inner = aRow(MIME, "inner");
    const given = { parts: [{ config: "one", subtype: "x-one" }, { config: "two" }] };
    await act(at, inner, "CREATE", given);
    const outer = { parts: [{ config: inner.physicalResourceId, type: "multipart" }] };
    const request = await aCall(at, aRow(MIME, "outer"), "CREATE", outer);
    const first = attributesOf(await call(at, aRow(MIME, "outer"), request));
    expect(first["config"]).toMatch(/text\/x-one[\s\S]*one[\s\S]*text\/plain[\s\S]*two/);
    expect(String(first["config"]).match(/multipart\/mixed/g)).toHaveLength(1);
    expect(attributesOf(await call(at, aRow(MIME, "outer"), request))).toEqual(first);
  });
});
