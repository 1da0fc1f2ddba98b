import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { at, send, waitForStack } from "./host-client.ts";
import { type ServeProcess, startLogging, startServe } from "./serve-process.ts";

const processes: ServeProcess[] = [];
const folders: string[] = [];

const serve = async (...options: readonly string[]): Promise<ServeProcess> => {
  const process = await startServe(...options);
  processes.push(process);
  return process;
};

afterEach(async () => {
  await Promise.all(processes.splice(0).map((process) => process.stop("SIGKILL")));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const chain = (length: number) => ({
  heat_template_version: "2016-10-14",
  resources: Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `r${index}`,
      {
        type: "OS::Heat::TestResource",
        properties: { value: `v${index}`, wait_secs: 0.2 },
        ...(index === 0 ? {} : { depends_on: [`r${index - 1}`] }),
      },
    ]),
  ),
});

describe("hearth serve", () => {
  it("prints its address, and ends with 0 on request", async () => {
    const process = await serve("--memory");
    expect(process.ready).toBe(`Hearth is listening on ${process.url}`);
    expect((await send(process.url, "GET", "/v1/demo/stacks")).body).toEqual({ stacks: [] });
    expect(await process.stop("SIGTERM")).toBe(0);
  });

  it("shows all lines of its log at SIGUSR2, and the chosen ones again at the next", async () => {
    const process = await startLogging("off", "--memory");
    processes.push(process);
    const told = () => process.lines().filter((line) => line.includes("refused a poll")).length;
    const poll = async () => {
      await send(process.url, "GET", "/v1/agent/metadata/nobody");
      await send(process.url, "GET", "/_health");
      return told();
    };
    expect(await poll()).toBe(0);
    process.signal("SIGUSR2");
    await expect.poll(process.lines).toContain("The log has the level info from now on.");
    await expect.poll(poll).toBeGreaterThan(0);
    process.signal("SIGUSR2");
    await expect.poll(process.lines).toContain("The log has the level off from now on.");
    const before = told();
    expect(await poll()).toBe(before);
    expect(await process.stop("SIGTERM")).toBe(0);
  });

  it("resumes after a kill, and creates nothing twice", async () => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-serve-"));
    folders.push(folder);
    const first = await serve("--data", folder);
    await send(first.url, "POST", "/v1/demo/stacks", { stack_name: "app", template: chain(6) });
    await expect
      .poll(
        async () => at((await send(first.url, "GET", "/_dev/resources")).body, "resources", 1),
        {
          timeout: 20_000,
        },
      )
      .toBeDefined();
    await first.stop("SIGKILL");
    const second = await serve("--data", folder);
    expect(await waitForStack(second.url, "app")).toBe("CREATE_COMPLETE");
    const { body } = await send(second.url, "GET", "/_dev/resources");
    expect(at(body, "resources")).toHaveLength(6);
  });
});
