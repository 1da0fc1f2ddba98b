import { afterEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import type { JsonObject } from "#lib/json.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";

const hosts: Host[] = [];
const start = async (): Promise<string> => {
  const host = await startHost({ port: 0, data: null });
  hosts.push(host);
  return host.url;
};

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
});

const sections: JsonObject = {
  Description: "two of a size",
  Parameters: {
    Size: { Type: "String", Default: "small", AllowedValues: ["small", "large"] },
    Fail: { Type: "String", Default: "False" },
  },
  Mappings: { Sizes: { small: { Value: "s" }, large: { Value: "l" } } },
  Resources: {
    First: {
      Type: "OS::Heat::TestResource",
      Properties: { value: { "Fn::FindInMap": ["Sizes", { Ref: "Size" }, "Value"] } },
      DeletionPolicy: "Delete",
    },
    Second: {
      Type: "OS::Heat::TestResource",
      DependsOn: "First",
      Properties: {
        value: { "Fn::Join": ["-", ["of", { "Fn::GetAtt": ["First", "output"] }]] },
        fail: { Ref: "Fail" },
      },
    },
  },
  Outputs: {
    Seen: { Value: { "Fn::GetAtt": ["Second", "output"] }, Description: "of the second" },
    Stack: { Value: { Ref: "AWS::StackName" } },
  },
};

const outputs = async (url: string): Promise<JsonObject> => {
  const { body } = await send(url, "GET", "/v1/demo/stacks/top");
  const shown = at(body, "stack", "outputs");
  return Object.fromEntries(
    (Array.isArray(shown) ? shown : []).map((one) => [
      String(at(one, "output_key")),
      at(one, "output_value") ?? null,
    ]),
  );
};

const update = async (
  url: string,
  template: JsonObject,
  parameters: JsonObject,
): Promise<string> => {
  const marker = await newestEvent(url, "top");
  const body = { template, parameters, disable_rollback: false };
  await send(url, "PUT", "/v1/demo/stacks/top", body);
  return waitForStack(url, "top", marker);
};

describe.each([
  { AWSTemplateFormatVersion: "2010-09-09" },
  { HeatTemplateFormatVersion: "2012-12-12" },
])("a stack of a template with %j", (version) => {
  const template: JsonObject = { ...version, ...sections };

  it("is made, changed, rolled back, and deleted", async () => {
    const url = await start();
    await send(url, "POST", "/v1/demo/stacks", { stack_name: "top", template });
    expect(await waitForStack(url, "top")).toBe("CREATE_COMPLETE");
    expect(await outputs(url)).toEqual({ Seen: "of-s", Stack: "top" });
    expect(await update(url, template, { Size: "large" })).toBe("UPDATE_COMPLETE");
    expect(await outputs(url)).toEqual({ Seen: "of-l", Stack: "top" });
    const failing = { Size: "small", Fail: "True" };
    expect(await update(url, template, failing)).toBe("ROLLBACK_COMPLETE");
    expect(await outputs(url)).toEqual({ Seen: "of-l", Stack: "top" });
    const { body } = await send(url, "GET", "/v1/demo/stacks/top");
    expect(at(body, "stack", "description")).toBe("two of a size");
    expect(at(body, "stack", "parameters", "AWS::Region")).toBe("ap-southeast-1");
  });

  it("shows its parameters and refuses wrong ones", async () => {
    const url = await start();
    const { body } = await send(url, "POST", "/v1/demo/validate", { template });
    expect(at(body, "Parameters", "Size")).toEqual({
      Type: "String",
      Description: "",
      NoEcho: "false",
      Label: "Size",
      Default: "small",
      AllowedValues: ["small", "large"],
    });
    const refused = await send(url, "POST", "/v1/demo/stacks", {
      stack_name: "top",
      template,
      parameters: { Size: "huge" },
    });
    expect(refused.status).toBe(400);
    expect(at(refused.body, "error", "message")).toContain('"huge" is not an allowed value');
  });

  it("can be a type of another template, in whatever format that is", async () => {
    const url = await start();
    const above = {
      heat_template_version: "2021-04-16",
      resources: { pair: { type: "pair.yaml", properties: { Size: "large" } } },
      outputs: { seen: { value: { get_attr: ["pair", "Seen"] } } },
    };
    await send(url, "POST", "/v1/demo/stacks", {
      stack_name: "top",
      template: above,
      files: { "pair.yaml": JSON.stringify(template) },
    });
    expect(await waitForStack(url, "top")).toBe("CREATE_COMPLETE");
    expect(await outputs(url)).toEqual({ seen: "of-l" });
  });
});
