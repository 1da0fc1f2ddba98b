import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { missingProviders } from "../../../../apps/cli/template/assess.ts";
import { templateBody } from "../../../../apps/cli/template/template-options.ts";

const folder = mkdtempSync(join(tmpdir(), "hearth-missing-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("tells what no create can make, unless an environment says what stands for it", async () => {
  const file = join(folder, "web.yaml");
  const resources = {
    secret: { type: "OS::Barbican::Secret", properties: { name: { get_param: "n" } } },
    word: { type: "OS::Heat::RandomString" },
  };
  const parameters = { n: { type: "string" } };
  const template = { heat_template_version: "2021-04-16", parameters, resources };
  writeFileSync(file, JSON.stringify(template));
  const given = { template: file, parameter: ["n=x"], environment: [], allowFiles: false };
  const missing = async (stubs: boolean) =>
    missingProviders(await templateBody({ ...given, stubs }), []);
  const found = await missing(false);
  expect(found).toEqual([
    expect.stringMatching(/^secret: No provider makes OS::Barbican::Secret here\./),
  ]);
  expect(await missing(true)).toEqual([]);
});
