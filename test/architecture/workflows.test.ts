import { describe, expect, it } from "vitest";
import * as z from "zod";
import { parseText } from "#lib/template/yaml/yaml.ts";
import { repositoryFiles } from "./repository.ts";

const jobShape = z.object({
  permissions: z.record(z.string(), z.string()).optional(),
  steps: z.array(
    z.object({ uses: z.string().optional(), with: z.record(z.string(), z.unknown()).optional() }),
  ),
});
const workflowShape = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), jobShape),
});

const workflows = repositoryFiles()
  .filter(({ path }) => /^\.github\/workflows\/.*\.yml$/.test(path))
  .map(({ path, text }) => ({ path, text, ...workflowShape.parse(parseText(text)) }));

describe.each(workflows)("the workflow $path", ({ text, permissions, jobs }) => {
  it("runs actions by their commit, and says of which version it is", () => {
    const uses = text.split("\n").filter((line) => line.includes("uses:"));
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses)
      expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("may read only, but for the job that publishes, which runs no code of a package", () => {
    expect(permissions).toEqual({ contents: "read" });
    const writing = Object.entries(jobs).filter(([, job]) => job.permissions !== undefined);
    expect(writing.map(([name]) => name)).toEqual("publish" in jobs ? ["publish"] : []);
    if ("publish" in jobs) expect(text.slice(text.indexOf("  publish:"))).not.toMatch(/\bnpm\b/);
  });

  it("leaves no token in the clone", () => {
    const checkouts = Object.values(jobs)
      .flatMap(({ steps }) => steps)
      .filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    for (const { with: given } of checkouts)
      expect(given).toMatchObject({ "persist-credentials": false });
  });
});
