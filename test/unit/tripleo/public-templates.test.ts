import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { reportRehearsals } from "#test/public-templates/rehearsals.ts";
import { rehearse } from "#test/public-templates/rehearse.ts";
import { publicTemplates } from "#test/public-templates/templates.ts";

const template = (properties: object) =>
  JSON.stringify({
    heat_template_version: "2021-04-16",
    resources: {
      net: { type: "OS::Neutron::Net" },
      subnet: {
        type: "OS::Neutron::Subnet",
        properties: { network: { get_resource: "net" }, cidr: "10.0.0.0/24" },
      },
      port: { type: "OS::Neutron::Port", properties },
    },
  });

describe("the rehearsal of a template", () => {
  it("makes, changes and deletes its stack with stubs", async () => {
    const files = { "samples.yaml": "parameter_defaults: {}" };
    const request = { files, environment_files: ["samples.yaml"] };
    const properties = { network: { get_resource: "net" } };
    expect(await rehearse({ ...request, template: template(properties) })).toBeNull();
  });

  it("says why one is refused, and why one fails", async () => {
    expect(await rehearse({ template: template({}) })).toMatch(/^create refused: .*network/);
    const properties = {
      network: { get_resource: "net" },
      mac_address: { get_attr: ["subnet", "cidr"] },
    };
    expect(await rehearse({ template: template(properties) })).toMatch(/^CREATE_FAILED: .*port/);
  });
});

describe("the report of rehearsals", () => {
  afterEach(() => vi.restoreAllMocks());

  it("lists each failure, and asks for nine of ten", () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const fine = Array.from({ length: 9 }, (_, at) => ({ id: `t${at}`, why: null }));
    const failed = { id: "bad.yaml", why: "CREATE_FAILED: 'a'" };
    expect(reportRehearsals([...fine, failed])).toBe(true);
    expect(log.mock.calls.flat()).toContain("        bad.yaml: CREATE_FAILED: 'a'");
    expect(reportRehearsals([...fine, failed, failed])).toBe(false);
  });
});

describe("the list of public templates", () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-list-"));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("tells which commit of which repository is missing", () => {
    const commit = "a".repeat(40);
    const list = join(folder, "list.json");
    const repository = { repository: "o/n", commit, templates: ["t.yaml"] };
    writeFileSync(list, JSON.stringify([repository]));
    expect(() => publicTemplates(folder, pathToFileURL(list))).toThrow(
      `there is no ${join(folder, "o/n")}: check out commit ${commit}`,
    );
  });
});
