import { beforeEach, describe, expect, it } from "vitest";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const TEMPLATE = {
  heat_template_version: "2016-10-14",
  parameters: {
    size: { type: "number", label: "Size", description: "how many", default: 2 },
    password: { type: "string", hidden: true },
  },
  outputs: {
    good: { description: "fine", value: { get_param: "size" } },
    bad: { value: { get_resource: "nosuch" } },
    file: { value: { get_file: "file:///a.sh" } },
  },
};

let world: World;
beforeEach(() => {
  world = openWorld();
});

describe("the documents of a stack", () => {
  it("are the template, the files and the environment as stored, with secrets redacted", async () => {
    const path = await createStack(world, "app", {
      template: TEMPLATE,
      parameters: { password: "sesame" },
      environment: { parameter_defaults: { size: 7 } },
      files: { "file:///a.sh": "echo" },
    });
    expect((await world.send("GET", `${path}/template`)).body).toEqual(TEMPLATE);
    expect((await world.send("GET", `${path}/files`)).body).toEqual({ "file:///a.sh": "echo" });
    expect((await world.send("GET", `${path}/environment`)).body).toMatchObject({
      parameters: { password: "******" },
      parameter_defaults: { size: 7 },
      // Heat's registry always has this key.
      resource_registry: { resources: {} },
    });
  });
});

describe("outputs", () => {
  it("are listed without values, and one that fails has its error", async () => {
    const path = await createStack(world, "app", {
      template: TEMPLATE,
      parameters: { password: "sesame" },
      files: { "file:///a.sh": "echo" },
    });
    const { body } = await world.send("GET", `${path}/outputs`);
    expect(listAt(body, "outputs")[0]).toEqual({ output_key: "good", description: "fine" });
    expect((await world.send("GET", `${path}/outputs/file`)).body).toMatchObject({
      output: { output_value: "echo" },
    });
    const bad = await world.send("GET", `${path}/outputs/bad`);
    expect(at(bad.body, "output", "output_value")).toBeNull();
    expect(at(bad.body, "output", "output_error")).toContain("nosuch");
    const missing = await world.send("GET", `${path}/outputs/nope`);
    expect(missing.status).toBe(404);
    expect(at(missing.body, "error")).toEqual({
      type: "NotFound",
      message: "Specified output key nope not found.",
      traceback: null,
    });
  });
});

describe("validating a template", () => {
  it("describes its parameters without needing their values", async () => {
    const { status, body } = await world.send("POST", "/validate", {
      template: TEMPLATE,
      files: { "file:///a.sh": "echo" },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      Description: "No description",
      Parameters: {
        size: { Type: "Number", Label: "Size", Description: "how many", NoEcho: "false" },
        password: { Type: "String", NoEcho: "true" },
      },
      Environment: { parameters: {}, parameter_defaults: {}, resource_registry: { resources: {} } },
    });
  });

  it("turns a failed validation into HTTPBadRequest with the same message", async () => {
    const template = {
      heat_template_version: "2016-10-14",
      resources: { a: { type: "OS::No::Such" } },
    };
    const { status, body } = await world.send("POST", "/validate", { template });
    expect(status).toBe(400);
    expect(at(body, "error", "type")).toBe("HTTPBadRequest");
    expect(at(body, "error", "message")).toContain(
      "The Resource Type (OS::No::Such) could not be found.",
    );
  });
});

describe("the catalogue", () => {
  it("lists resource types, filtered by a name with .*", async () => {
    const all = await world.send("GET", "/resource_types");
    expect(listAt(all.body, "resource_types")).toContain("OS::Heat::None");
    const listed = async (query: string) =>
      listAt((await world.send("GET", `/resource_types?${query}`)).body, "resource_types");
    expect(await listed("support_status=DEPRECATED")).toContain("OS::Aodh::Alarm");
    expect(await listed("support_status=SUPPORTED")).not.toContain("OS::Aodh::Alarm");
    expect(await listed("version=2014.2&name=OS::Heat::.*")).toContain("OS::Heat::SwiftSignal");
    expect(await listed("version=2")).toEqual([]);
    const wrong = await world.send("GET", "/resource_types?support_status=zz");
    expect([wrong.status, textAt(wrong.body, "error", "message")]).toEqual([
      400,
      "Data supplied was not valid: Invalid support status and should be one of ('UNKNOWN', 'SUPPORTED', 'DEPRECATED', 'UNSUPPORTED', 'HIDDEN')",
    ]);
    const some = await world.send("GET", "/resource_types?name=OS::Heat::Software.*");
    expect(listAt(some.body, "resource_types")).toEqual([
      "OS::Heat::SoftwareComponent",
      "OS::Heat::SoftwareConfig",
      "OS::Heat::SoftwareDeployment",
      "OS::Heat::SoftwareDeploymentGroup",
    ]);
  });

  it("shows a type with a percent-encoded name, and its template", async () => {
    const { body } = await world.send("GET", "/resource_types/OS%3A%3AHeat%3A%3ARandomString");
    expect(body).toMatchObject({
      resource_type: "OS::Heat::RandomString",
      properties: { length: { type: "integer", required: false } },
      attributes: { value: { description: expect.any(String) } },
      support_status: { status: "SUPPORTED" },
    });
    const unknown = await world.send("GET", "/resource_types/OS::No::Such");
    expect(at(unknown.body, "error", "message")).toBe(
      "The Resource Type (OS::No::Such) could not be found.",
    );
  });

  it("gives a template of a type in HOT, with constraints, defaults and all attributes", async () => {
    const path = "/resource_types/OS::Heat::WaitCondition/template?template_type=hot";
    const { body } = await world.send("GET", path);
    expect(body).toMatchObject({
      heat_template_version: "2016-10-14",
      description: "Initial template of HeatWaitCondition",
      parameters: {
        count: { type: "number", default: 1, constraints: [{ range: { min: 1 } }] },
        timeout: { type: "number", constraints: [{ range: { min: 1, max: 43200 } }] },
      },
      resources: {
        HeatWaitCondition: {
          type: "OS::Heat::WaitCondition",
          properties: { count: { get_param: "count" } },
        },
      },
      outputs: {
        data: {
          value: { get_attr: ["HeatWaitCondition", "data"] },
          description: expect.any(String),
        },
        show: { value: { get_attr: ["HeatWaitCondition", "show"] } },
        "OS::stack_id": { value: { get_resource: "HeatWaitCondition" } },
      },
    });
    expect(at(body, "parameters", "handle")).not.toHaveProperty("default");
  });

  it("gives a template of a type in CloudFormation's format, also without a wish", async () => {
    const path = "/resource_types/OS::Heat::SoftwareConfig/template";
    const { status, body } = await world.send("GET", path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      HeatTemplateFormatVersion: "2012-12-12",
      Parameters: {
        config: { Type: "String" },
        inputs: { Type: "CommaDelimitedList" },
        options: { Type: "Json" },
      },
      Resources: {
        SoftwareConfig: {
          Type: "OS::Heat::SoftwareConfig",
          Properties: {
            config: { Ref: "config" },
            inputs: { "Fn::Split": [",", { Ref: "inputs" }] },
          },
        },
      },
      Outputs: {
        config: { Value: { "Fn::GetAtt": ["SoftwareConfig", "config"] } },
        "OS::stack_id": { Value: { Ref: "SoftwareConfig" } },
      },
    });
    expect((await world.send("GET", `${path}?template_type=cfn`)).body).toEqual(body);
    const wait = await world.send("GET", "/resource_types/OS::Heat::WaitCondition/template");
    expect(at(wait.body, "Parameters", "timeout")).toMatchObject({ MinValue: 1, MaxValue: 43200 });
    const test = await world.send("GET", "/resource_types/OS::Heat::TestResource/template");
    expect(at(test.body, "Parameters", "fail", "AllowedValues")).toEqual([
      "True",
      "true",
      "False",
      "false",
    ]);
  });

  it("leaves out what Heat's type does not have, and shows no description of its own", async () => {
    const path = "/resource_types/OS::Heat::SoftwareDeployment";
    const { body } = await world.send("GET", path);
    expect(at(body, "properties")).toHaveProperty("actions");
    expect(at(body, "properties")).not.toHaveProperty("timeout");
    const template = (await world.send("GET", `${path}/template?template_type=hot`)).body;
    expect(at(template, "parameters")).toHaveProperty("actions");
    expect(at(template, "parameters")).not.toHaveProperty("timeout");
    const database = await world.send("GET", "/resource_types/AWS::RDS::DBInstance");
    expect(at(database.body, "attributes", "Endpoint.Port")).toEqual({});
  });

  it("refuses a kind of template that there is not", async () => {
    const path = "/resource_types/OS::Heat::Value/template?template_type=x";
    const { status, body } = await world.send("GET", path);
    expect(status).toBe(400);
    expect(at(body, "error", "message")).toBe(
      'Template type is not supported: Invalid template type "x", valid types are: cfn, hot.',
    );
  });

  it("shows the types of attributes, the attribute of all types and the release of a type", async () => {
    const { body } = await world.send("GET", "/resource_types/OS::Heat::RandomString");
    expect(at(body, "attributes")).toMatchObject({
      value: { type: "string" },
      show: { type: "map" },
    });
    expect(at(body, "support_status", "version")).toBe("2014.1");
    expect(at(body, "properties", "character_classes", "schema", "*")).not.toHaveProperty(
      "description",
    );
    const deployment = await world.send("GET", "/resource_types/OS::Heat::SoftwareDeployment");
    expect(at(deployment.body, "attributes", "deploy_stdout", "type")).toBe("string");
  });

  it("refuses to show a type that only old templates use", async () => {
    const { status, body } = await world.send(
      "GET",
      "/resource_types/OS::Heat::SoftwareDeployments",
    );
    expect(status).toBe(400);
    expect(at(body, "error")).toMatchObject({
      type: "NotSupported",
      message: "OS::Heat::SoftwareDeployments is not supported.",
    });
  });

  it("lists template versions with their release names", async () => {
    const { body } = await world.send("GET", "/template_versions");
    expect(listAt(body, "template_versions")).toContainEqual({
      version: "heat_template_version.2018-08-31",
      type: "hot",
      aliases: ["heat_template_version.rocky"],
    });
  });

  it("lists the functions of conditions for versions that have them, on request", async () => {
    const namesIn = async (version: string) => {
      const path = `/template_versions/heat_template_version.${version}/functions`;
      const { body } = await world.send("GET", `${path}?with_condition_func=true`);
      return listAt(body, "template_functions").map((one) => at(one, "functions"));
    };
    const own = ["equals", "not", "and", "or"];
    expect(await namesIn("2016-10-14")).toEqual(expect.arrayContaining(own));
    const before = await namesIn("2016-04-08");
    expect(own.filter((name) => before.includes(name))).toEqual([]);
  });

  it("lists the functions of a template version", async () => {
    const functionsIn = async (version: string) => {
      const { body } = await world.send("GET", `/template_versions/${version}/functions`);
      return listAt(body, "template_functions").map((one) => textAt(one, "functions"));
    };
    const names = await functionsIn("heat_template_version.2018-08-31");
    expect(names.toSorted()).toEqual([
      "contains",
      "digest",
      "filter",
      "get_attr",
      "get_file",
      "get_param",
      "get_resource",
      "if",
      "list_concat",
      "list_concat_unique",
      "list_join",
      "make_url",
      "map_merge",
      "map_replace",
      "repeat",
      "resource_facade",
      "str_replace",
      "str_replace_strict",
      "str_replace_vstrict",
      "str_split",
      "yaql",
    ]);
    expect(await functionsIn("heat_template_version.rocky")).toEqual(names);
    for (const unknown of ["heat_template_version.2018", "heat_template_version", "toString.x"]) {
      const { status, body } = await world.send("GET", `/template_versions/${unknown}/functions`);
      expect([status, textAt(body, "error", "message")]).toEqual([
        404,
        `Template with version ${unknown} not found`,
      ]);
    }
  });
});
