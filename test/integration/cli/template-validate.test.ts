import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { type Host, startHost } from "#host/host.ts";
import { hearth } from "./hearth-process.ts";

const WRONG = `heat_template_version: 2021-04-16
parameters:
  size: {type: numbr}
  port: {type: number, default: 80, constraints: [{range: {max: 9}}]}
conditions:
  big: {equals: [{get_param: port}, 5]}
resources:
  password:
    type: OS::Heat::RandomString
    properties:
      lenght: 24
      salt: {get_param: sizes}
      character_classes: 7
  again: {type: OS::Heat::RandomStrin}
  value:
    type: OS::Heat::Value
    condition: bigg
    properties: {value: {get_attr: [pasword, value]}}
  copy:
    type: OS::Heat::Value
    depends_on: valeu
    propertis: {value: 1}
outputs:
  one: {value: {get_attr: [again, value]}}
  two: {valu: 3}
`;

let host: Host;
let folder: string;

beforeAll(async () => {
  host = await startHost({ port: 0, data: null });
  folder = mkdtempSync(join(tmpdir(), "hearth-validate-"));
});

afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

const validate = (text: string, ...options: readonly string[]) => {
  const file = join(folder, "app.yaml");
  writeFileSync(file, text);
  return hearth(host.url, "template", "validate", "-t", file, ...options);
};

const shown = (text: string): string => text.replaceAll(`${folder}/`, "");

it("tells all errors at once, each with its place and a word that is near", async () => {
  const { code, stdout, stderr } = await validate(WRONG);
  expect(shown(stdout).trimEnd().split("\n")).toEqual([
    'app.yaml:3:10: error: Invalid type (numbr). Did you mean "number"?',
    "app.yaml:4:3: error: Parameter 'port' is invalid: Invalid default 80 (80 is out of range (min: None, max: 9))",
    'app.yaml:11:7: error: Property error: resources.password.properties: Unknown Property lenght. Did you mean "length"?',
    'app.yaml:12:14: error: Property error: resources.password.properties.salt: The Parameter (sizes) was not provided. Did you mean "size"?',
    'app.yaml:13:7: error: Property error: resources.password.properties.character_classes: "7" is not a list',
    'app.yaml:14:11: error: The Resource Type (OS::Heat::RandomStrin) could not be found. Did you mean "OS::Heat::RandomString"?',
    'app.yaml:17:5: error: resources.value.condition: Invalid condition "bigg". Did you mean "big"?',
    'app.yaml:18:37: error: The specified reference "pasword" (in value.Properties.value) is incorrect. Did you mean "password"?',
    'app.yaml:21:5: error: The specified reference "valeu" (in copy) is incorrect. Did you mean "value"?',
    'app.yaml:22:5: error: "propertis" is not a valid keyword inside a resource definition. Did you mean "properties"?',
    "app.yaml:25:3: error: Output validation error: outputs.two: Each output definition must contain a value key.",
  ]);
  expect([code, stderr]).toEqual([1, "ERROR: 11 errors\n"]);
}, 60_000);

it("says what it could not check", async () => {
  const text = "heat_template_version: 2021-04-16\nparameters: {a: {type: number}}\n";
  const { code, stdout } = await validate(text);
  expect([code, stdout.split("\n").at(-2)]).toEqual([
    0,
    "Not checked are values that depend on: a",
  ]);
  const given = await validate(text, "--parameter", "a=x");
  expect(given.stdout).toBe(
    "--parameter: error: Parameter 'a' is invalid: could not convert string to float: 'x'\n",
  );
}, 60_000);

const Sarif = z.object({
  version: z.literal("2.1.0"),
  runs: z.tuple([
    z.object({
      results: z.array(
        z.object({
          ruleId: z.string(),
          message: z.object({ text: z.string() }),
          locations: z.tuple([
            z.object({ physicalLocation: z.looseObject({ region: z.unknown() }) }),
          ]),
        }),
      ),
    }),
  ]),
});

it("writes SARIF, also for a text that is no YAML", async () => {
  const { code, stdout } = await validate("a: [b\n", "--format", "sarif");
  const [result] = Sarif.parse(JSON.parse(stdout)).runs[0].results;
  expect(code).toBe(1);
  expect(result?.ruleId).toBe("UnreadableFile");
  expect(result?.locations[0].physicalLocation.region).toEqual({ startLine: 2, startColumn: 1 });
  const list = await validate("- a\n", "--format", "sarif");
  const [noMap] = Sarif.parse(JSON.parse(list.stdout)).runs[0].results;
  expect([list.code, noMap?.message.text]).toEqual([1, "The document is not a map."]);
  const missing = await validate("resources: {a: {type: b.yaml}}\n", "--format", "sarif");
  const [lost] = Sarif.parse(JSON.parse(missing.stdout)).runs[0].results;
  expect(shown(lost?.message.text ?? "")).toBe("resources.a.type: b.yaml: there is no such file.");
  expect(lost?.locations[0].physicalLocation.region).toEqual({ startLine: 1, startColumn: 17 });
  const right = await validate("heat_template_version: 2021-04-16\n", "--format", "sarif");
  expect(right.code).toBe(0);
  expect(Sarif.parse(JSON.parse(right.stdout)).runs[0].results).toEqual([]);
}, 60_000);

it("takes the template as an argument too, and hides the default of a hidden parameter", async () => {
  const file = join(folder, "hidden.yaml");
  writeFileSync(
    file,
    "heat_template_version: 2021-04-16\nparameters:\n  key: { type: string, hidden: true, default: s3cret }\n",
  );
  const { code, stdout } = await hearth(host.url, "template", "validate", file);
  expect(code).toBe(0);
  expect(stdout).toContain("******");
  expect(stdout).not.toContain("s3cret");
  const both = await hearth(host.url, "template", "validate", file, "-t", file);
  expect([both.code, both.stderr]).toEqual([
    2,
    "ERROR: two templates are named: FILE and -t FILE\n",
  ]);
  const graph = await hearth(host.url, "template", "graph", "-t", file);
  expect(graph.code).toBe(0);
}, 60_000);

it("says in its help what it does", async () => {
  const { stdout } = await hearth(host.url, "template", "validate", "--help");
  expect(stdout).toContain("Tell all errors of a template");
}, 60_000);
