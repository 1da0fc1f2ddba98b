import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { hearth } from "./hearth-process.ts";

let host: Host;
let folder: string;

beforeAll(async () => {
  host = await startHost({ port: 0, data: null });
  folder = mkdtempSync(join(tmpdir(), "hearth-problems-"));
});

afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

const linesFor = async (text: string | Uint8Array, environment?: string): Promise<string[]> => {
  const file = join(folder, "app.yaml");
  writeFileSync(file, text);
  const options: string[] = [];
  if (environment !== undefined) {
    writeFileSync(join(folder, "env.yaml"), environment);
    options.push("-e", join(folder, "env.yaml"));
  }
  const { code, stdout } = await hearth(host.url, "template", "validate", "-t", file, ...options);
  expect(code).toBe(1);
  return stdout.replaceAll(`${folder}/`, "").trimEnd().split("\n");
};

const HEAD = "heat_template_version: 2021-04-16\n";

describe("an error of another part is told too", () => {
  it("if both have the same property", async () => {
    const lines = await linesFor(`${HEAD}resources:
  a: { type: OS::Heat::Value, properties: { value: { get_attr: [basa, value] } } }
  base: { type: OS::Heat::None }
outputs:
  o: { value: { get_attr: [bas, value] } }
`);
    expect(lines).toEqual([
      'app.yaml:3:65: error: The specified reference "basa" (in a.Properties.value) is incorrect. Did you mean "base"?',
      'app.yaml:6:28: error: outputs.o.value.get_attr: The specified reference "bas" (in unknown) is incorrect. Did you mean "base"?',
    ]);
  }, 60_000);

  it("if its words stand elsewhere first", async () => {
    const lines = await linesFor(`${HEAD}parameters:
  list: { type: string, default: a, constraints: [] }
  map: { type: string, constraints: {} }
  none: { default: a }
  open: { type: string, default: a, constraints: [{ allowed_patern: "[a-" }] }
resources:
  key: { type: OS::Heat::RandomString, properties: { lenght: 4 } }
`);
    expect(lines).toEqual([
      "app.yaml:4:3: error: Invalid parameter constraints for parameter map, expected a list",
      "app.yaml:5:3: error: Missing parameter type for parameter: none",
      "app.yaml:6:53: error: Invalid key 'allowed_patern' for parameter constraints. Did you mean \"allowed_pattern\"?",
      'app.yaml:8:54: error: Property error: resources.key.properties: Unknown Property lenght. Did you mean "length"?',
    ]);
  }, 60_000);

  it("if the version is wrong", async () => {
    const lines = await linesFor(
      "heat_template_version: wallabi\nparameters:\n  size: { type: strng }\n",
    );
    expect(lines.length).toBe(2);
    expect(lines[0]).toMatch(/^app\.yaml:1:1: .* Did you mean "wallaby"\?$/);
    expect(lines[1]).toBe('app.yaml:3:11: error: Invalid type (strng). Did you mean "string"?');
  }, 60_000);
});

describe("the word that was perhaps meant", () => {
  it("is one of the format of the template", async () => {
    const lines = await linesFor(`${HEAD}resources:
  a: { type: OS::Heat::None, dependsOn: b }
  b: { type: OS::Heat::Value, properties: { value: { list_join: ["", [1]] } } }
`);
    expect(lines).toEqual([
      'app.yaml:3:30: error: "dependsOn" is not a valid keyword inside a resource definition. Did you mean "depends_on"?',
      "app.yaml:4:45: error: Property error: resources.b.properties.value: Items to join must be string, map or list not 1",
    ]);
    const cfn = await linesFor("AWSTemplateFormatVersion: 2010-09-10\nOutput: {}\n");
    expect(cfn).toEqual([
      'app.yaml:1:1: error: The template version is invalid: "AWSTemplateFormatVersion: 2010-09-10". "AWSTemplateFormatVersion" should be: 2010-09-09. Did you mean "2010-09-09"?',
      'app.yaml:2:1: error: The template section is invalid: Output. Did you mean "Outputs"?',
    ]);
  }, 60_000);

  it("is found for attributes and for the sections of an environment", async () => {
    const template = `${HEAD}parameters:
  size: { type: string, default: x }
resources:
  a: { type: OS::Heat::Value, properties: { value: 1 } }
outputs:
  o: { value: { get_attr: [a, valeu] } }
`;
    const environment = "parameters: { sise: big }\nresource_regestry: {}\n";
    expect(await linesFor(template, environment)).toEqual([
      'app.yaml:7:31: error: outputs.o.value.get_attr: The Referenced Attribute (a valeu) is incorrect. Did you mean "value"?',
      'env.yaml:1:15: error: The Parameter (sise) was not defined in template. Did you mean "size"?',
      'env.yaml:2:1: error: environment has wrong section "resource_regestry". Did you mean "resource_registry"?',
    ]);
  }, 60_000);
});

it("the help of each command fits a terminal of 80 columns", async () => {
  const groups = [[], ["stack"], ["deployment"], ["template", "validate"]];
  for (const group of groups) {
    const { stdout } = await hearth(host.url, ...group, "--help");
    expect(stdout).toContain("Usage: hearth");
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  }
}, 60_000);

it("an error inside a nested template is told at its place there", async () => {
  const inner = "resources:\n  key: { type: OS::Heat::RandomString, properties: { lenght: 4 } }\n";
  writeFileSync(join(folder, "inner.yaml"), HEAD + inner);
  writeFileSync(join(folder, "outer.yaml"), `${HEAD}resources:\n  in: { type: inner.yaml }\n`);
  const text = `${HEAD}resources:
  deep: { type: outer.yaml, properties: { a: 1 } }
  flat: { type: Flat }
`;
  const lines = await linesFor(text, "resource_registry: { Flat: inner.yaml }\n");
  const [unknown, ...rest] = lines;
  expect(unknown).toBe(
    "app.yaml:3:43: error: Property error: resources.deep.properties: Unknown Property a",
  );
  expect(rest.map((line) => line.replace(/error: .*: Unknown/, "error: Unknown"))).toEqual([
    'inner.yaml:3:54: error: Unknown Property lenght. Did you mean "length"?',
    'inner.yaml:3:54: error: Unknown Property lenght. Did you mean "length"?',
  ]);
}, 60_000);
