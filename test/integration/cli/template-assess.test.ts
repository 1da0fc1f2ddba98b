import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { hearth } from "./hearth-process.ts";

/** Nothing listens at this address. */
const NO_HOST = "http://127.0.0.1:9";

const SERVER = `heat_template_version: 2021-04-16
parameters:
  key: {type: string, default: operators}
resources:
  web:
    type: OS::Nova::Server
    properties: {image: cirros, flavor: small, key_name: {get_param: key}}
outputs:
  address: {value: {get_attr: [web, first_address]}}
`;
const SECRET = `heat_template_version: 2021-04-16
resources:
  secret: {type: OS::Barbican::Secret}
`;
const VALUE = `heat_template_version: 2021-04-16
resources:
  value: {type: OS::Heat::Value, properties: {value: 1}}
`;
const FILES: Readonly<Record<string, string>> = {
  "value.yaml": VALUE,
  "a/server.yaml": SERVER,
  "a/secret.yaml": SECRET,
  "a/missing-file.yaml": "heat_template_version: 2021-04-16\nresources:\n  a: {type: no.yaml}\n",
  "a/environment.yaml": "parameters: {key: k}\n",
  "b/broken.yaml": "heat_template_version: 2021-04-16\nresources: [\n",
  "b/playbook.yml": "- hosts: all\n",
  ".hidden/value.yaml": VALUE,
};
const INVENTORY = "machines:\n  - name: web\n    address: 192.0.2.7\n";

let folder: string;
let host: Host;

beforeAll(async () => {
  host = await startHost({ port: 0, data: null });
  folder = mkdtempSync(join(tmpdir(), "hearth-assess-"));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, "templates", name, ".."), { recursive: true });
    writeFileSync(join(folder, "templates", name), text);
  }
  writeFileSync(join(folder, "inventory.yaml"), INVENTORY);
});

afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

const shown = (text: string): readonly string[] =>
  text.replaceAll(`${folder}/`, "").trimEnd().split("\n");

describe("hearth template assess", () => {
  it("tells of each template in a folder what runs, without a host", async () => {
    const ended = await hearth(NO_HOST, "template", "assess", join(folder, "templates"));
    expect(shown(ended.stdout)).toEqual([
      "Assessed with hearth:existing-machines",
      "",
      "templates/a/missing-file.yaml: is refused",
      "  templates/a/missing-file.yaml:3:7: resources.a.type: templates/a/no.yaml: there is no such file.",
      "",
      "templates/a/secret.yaml: cannot run",
      "  secret  OS::Barbican::Secret  missing: No provider makes OS::Barbican::Secret here. Run the stack with --stubs to rehearse it, or map the type in the resource registry.",
      "",
      "templates/a/server.yaml: runs, and ignores some of it",
      "  web  OS::Nova::Server  runs, ignores image, flavor, key_name",
      "",
      "templates/b/broken.yaml: is refused",
      expect.stringContaining("templates/b/broken.yaml is neither YAML nor JSON:"),
      "  expected the node content, but found '<stream end>'",
      '    in "templates/b/broken.yaml", line 3, column 1:',
      expect.anything(),
      "      ^",
      "",
      "templates/value.yaml: runs",
      "  value  OS::Heat::Value  runs",
      "",
      "Missing, by templates:",
      "  OS::Barbican::Secret  1",
      "Templates: 5. Run: 1. Run and ignore some of it: 1. Cannot run: 1. Refused: 2.",
      "Other files: 2.",
    ]);
    expect(ended.stderr).toBe("ERROR: 3 of 5 templates cannot run\n");
    expect(ended.code).toBe(1);
  });

  it("tells programs the same as JSON, and ends with 0 if everything runs", async () => {
    const file = join(folder, "templates", "value.yaml");
    const { code, stdout } = await hearth(NO_HOST, "template", "assess", file, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      environments: ["hearth:existing-machines"],
      files: [
        {
          file,
          status: "runs",
          resources: [
            {
              name: "value",
              type: "OS::Heat::Value",
              status: "runs",
              ignored: {},
              instead: null,
              why: null,
            },
          ],
          warnings: [],
          error: null,
        },
      ],
      totals: { runs: 1, ignores: 0, missing: 0, refused: 0, others: 0 },
    });
  });

  it.each<readonly [string, string, number, string]>([
    ["no.yaml", INVENTORY, 2, "no.yaml: there is no such file."],
    [
      "",
      "machines:\n  - name: web\n",
      1,
      "inventory.yaml:2:5: machines[0].address: must be an IP address",
    ],
  ])(
    "names what is wrong before it looks at templates: %s",
    async (path, inventory, exit, error) => {
      const file = join(folder, "wrong", "inventory.yaml");
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, inventory);
      const options = ["template", "assess", join(folder, "templates", path), "--inventory", file];
      const { code, stdout, stderr } = await hearth(NO_HOST, ...options);
      expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
      expect(stderr).toContain(error);
    },
  );
});

describe("hearth stack create --inventory", () => {
  const inventoried = (name: string, inventory: string) => {
    const template = join(folder, "templates", "a", "server.yaml");
    const options = ["stack", "create", name, "-t", template, "--inventory", inventory];
    return hearth(host.url, ...options);
  };

  it("runs the servers of a template on machines of the file, and frees them", async () => {
    const created = await inventoried("app", join(folder, "inventory.yaml"));
    expect(created.stderr).toBe("");
    expect(created.code).toBe(0);
    const { stdout } = await hearth(host.url, "stack", "outputs", "app", "address");
    expect(stdout.trim()).toBe("192.0.2.7");
    const other = await inventoried("other", join(folder, "inventory.yaml"));
    expect(other.code).toBe(1);
    expect(other.stdout + other.stderr).toContain(
      "No machine is free for the server web: web is taken",
    );
    expect((await hearth(host.url, "stack", "delete", "app", "--yes")).code).toBe(0);
    expect((await hearth(host.url, "stack", "delete", "other", "--yes")).code).toBe(0);
    expect((await inventoried("third", join(folder, "inventory.yaml"))).code).toBe(0);
    const bootstrap = await hearth(host.url, "server", "bootstrap", "third", "--local");
    expect(bootstrap.code).toBe(0);
    expect((await hearth(host.url, "stack", "delete", "third", "--yes")).code).toBe(0);
  });
});
