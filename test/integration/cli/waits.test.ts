import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeHeat, startFakeHeat } from "./fake-heat.ts";
import { hearth, startHearth } from "./hearth-process.ts";

const STACK = "/v1/demo/stacks/web/11111111-2222-3333-4444-555555555555";
const GOES_ON =
  '"hearth stack diagnose web" says what it waits for, and "hearth stack watch web" shows the rest.';

let heat: FakeHeat;
let folder: string;
let template: string;

beforeEach(async () => {
  heat = await startFakeHeat();
  folder = mkdtempSync(join(tmpdir(), "hearth-waits-"));
  template = join(folder, "web.yaml");
  writeFileSync(template, "heat_template_version: 2021-04-16\n");
  heat.answerWith(`GET ${STACK}/diagnosis`, {
    diagnosis: {
      resources: [
        {
          resource_name: "dep",
          resource_type: "OS::Heat::SoftwareDeployment",
          resource_status: "CREATE_IN_PROGRESS",
          links: [{ rel: "stack", href: `http://heat${STACK}` }],
          cause: {
            kind: "deployment",
            certain: false,
            summary: "server box has never polled",
            advice: [],
            stage: 1,
          },
        },
      ],
      omitted: 0,
    },
  });
});

afterEach(async () => {
  await heat.close();
  rmSync(folder, { recursive: true });
});

const playing = (action: string): void =>
  heat.play({
    status: `${action}_IN_PROGRESS`,
    events: [
      ["web", `${action}_IN_PROGRESS`, `Stack ${action} started`],
      ["dep", `${action}_IN_PROGRESS`, "state changed"],
    ],
  });

describe("a wait in a pipe", () => {
  it("says why it waits, and names the diagnosis when its time is over", async () => {
    playing("CREATE");
    const words = ["stack", "create", "web", "-t", template, "--wait-timeout", "8s"];
    const { code, stdout, stderr } = await hearth(heat.endpoint, ...words);
    expect(stdout).toMatch(/^\S+Z \[dep\] waits: Probably: server box has never polled$/m);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `ERROR: Stopped waiting after 8s; the create of web goes on. ${GOES_ON}\n`,
    });
  });

  it("says it on standard error with --json, whose output has one document at most", async () => {
    playing("CREATE");
    const words = ["stack", "create", "web", "-t", template, "--wait-timeout", "8s", "--json"];
    const { stdout, stderr } = await hearth(heat.endpoint, ...words);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^\S+Z \[dep\] waits: Probably: server box has never polled$/m);
  });

  const commands: readonly (readonly [action: string, words: readonly string[]])[] = [
    ["CREATE", ["create", "web", "-t"]],
    ["UPDATE", ["update", "web", "-t"]],
    ["DELETE", ["delete", "web", "--yes"]],
    ["SUSPEND", ["suspend", "web"]],
    ["RESUME", ["resume", "web"]],
    ["CHECK", ["check", "web"]],
    ["ROLLBACK", ["cancel", "web"]],
  ];
  it.each(commands)("names the diagnosis of a %s after Ctrl-C", async (action, words) => {
    playing(action);
    const given = words.at(-1) === "-t" ? [...words, template] : words;
    const command = startHearth(heat.endpoint, "stack", ...given);
    await heat.asked("GET", /events\?sort_dir=asc/);
    command.interrupt();
    const { code, stderr } = await command.ended;
    expect(code).toBe(130);
    expect(stderr).toContain(`of web goes on. ${GOES_ON}`);
  });
});
