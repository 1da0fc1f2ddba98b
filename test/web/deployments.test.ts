import { describe, expect, it } from "vitest";
import { at, send } from "../integration/host/host-client.ts";
import { type Look, PROJECT, screenshot, seriousFindings } from "./console-page.ts";
import { consoleWorld } from "./console-world.ts";
import { createStack, STACKS, untilResource, untilStatus } from "./hosts.ts";

const world = consoleWorld();

const SERVER = {
  web: { type: "OS::Heat::DeployedServer", properties: { name: "web-1" } },
  config: {
    type: "OS::Heat::SoftwareConfig",
    properties: { group: "script", config: "#!/bin/sh\necho hello\n" },
  },
  install: {
    type: "OS::Heat::SoftwareDeployment",
    properties: { server: { get_resource: "web" }, config: { get_resource: "config" } },
  },
};

const reportFault = async (stack: string): Promise<void> => {
  const { body } = await send(world.url, "GET", `${stack}/resources/web`);
  const id = String(at(body, "resource", "physical_resource_id"));
  const report = { status: "SHUTOFF", fault: "its rack has no power" };
  await send(world.url, "PUT", `/v1/${PROJECT}/servers/${id}/report`, { report });
};

/** Polls as Hearth's agent does, which names its hooks. */
const poll = async (stack: string): Promise<void> => {
  const { body } = await send(world.url, "GET", stack);
  const output = at(body, "stack", "outputs", 0, "output_value");
  const answer = await fetch(`${String(output)}&hooks=script`);
  expect(answer.status).toBe(200);
};

describe("a stuck deployment", () => {
  it("says why it is stuck, and goes on once its result is set", async () => {
    const fleet = await createStack(world.url, "fleet", SERVER);
    await untilResource(world.url, `fleet/${fleet.id}`, "web", "CREATE_COMPLETE");
    await reportFault(`${STACKS}/fleet/${fleet.id}`);
    const { page, problems } = await world.open({ hash: fleet.hash("graph") });
    const why = page.getByRole("region", { name: "Why it is not done" });
    await why.getByRole("heading", { name: "Why it is not done" }).waitFor();
    await why.getByText(/^install: .*server web is not running: reported SHUTOFF/).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.locator("svg .node").first().waitFor();
    await screenshot(page, "stack-stuck");
    await why.getByRole("link", { name: "install" }).click();
    const panel = page.getByRole("complementary", { name: "Resource install" });
    await panel.locator("dd.id a").click();
    await page.getByRole("heading", { name: "install" }).waitFor();
    await page.getByRole("link", { name: "All deployments" }).click();
    await page.getByRole("row", { name: /^Server web / }).waitFor();
    await page
      .getByRole("row", { name: /In progress/ })
      .getByRole("link", { name: "install" })
      .click();
    await page.getByRole("heading", { name: "install" }).waitFor();
    const verdict = page.getByRole("region", { name: "Verdict" });
    expect(await verdict.textContent()).toMatch(/^server web is not running: reported SHUTOFF/);
    const lights = page.getByRole("list", { name: "The way of the deployment" });
    expect(await lights.getByRole("listitem").allTextContents()).toEqual([
      expect.stringMatching(/^Published/),
      expect.stringMatching(/^Fetched by the servernot yet/),
      expect.stringMatching(/^Runningnot yet/),
      expect.stringMatching(/^Donenot yet/),
    ]);
    await page.getByText("Last heard ofnot yet").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, "deployment-stuck");
    const phone = await world.open({ hash: new URL(page.url()).hash, look: "phone" });
    await phone.page.getByRole("region", { name: "Verdict" }).waitFor();
    await screenshot(phone.page, "deployment-stuck-phone");
    await page.getByRole("button", { name: "Set the result" }).click();
    const dialog = page.getByRole("dialog", { name: "Set the result" });
    await dialog.getByLabel("Reason").fill("done by hand");
    await dialog.getByRole("button", { name: "It is complete" }).click();
    await page.locator(".heading").getByText("Create complete").waitFor();
    await untilStatus(world.url, "fleet", "CREATE_COMPLETE");
    expect(problems).toEqual([]);
  });

  it("shows what its program has printed once it has ended, and leads to its stack", async () => {
    const printer = await createStack(world.url, "printer", SERVER);
    await untilResource(world.url, `printer/${printer.id}`, "install", "CREATE_IN_PROGRESS");
    const path = `${STACKS}/printer/${printer.id}/resources/install`;
    const { body } = await send(world.url, "GET", path);
    const id = String(at(body, "resource", "physical_resource_id"));
    const output_values = { deploy_stdout: "hello <b>world</b>\n", deploy_stderr: "" };
    await send(world.url, "PUT", `/v1/${PROJECT}/software_deployments/${id}`, {
      status: "COMPLETE",
      output_values,
    });
    const { page, problems } = await world.open({ hash: `#/deployments/${id}` });
    await page.getByRole("button", { name: "Show what it printed" }).click();
    const lights = page.getByRole("list", { name: "The way of the deployment" });
    expect(await lights.getByRole("listitem").allTextContents()).toEqual([
      "Publishedreached",
      "Fetched by the servernot seen",
      "Runningnot seen",
      expect.stringMatching(/^Done/),
    ]);
    const printed = page.getByRole("region", { name: "Standard output" });
    expect(await printed.locator("pre").textContent()).toBe("hello <b>world</b>\n");
    await page.getByRole("region", { name: "Standard error" }).getByText("Nothing.").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, "deployment-printed");
    const saved = page.waitForEvent("download");
    await printed.getByRole("button", { name: "Save the standard output" }).click();
    expect((await saved).suggestedFilename()).toBe(`${id}-deploy_stdout.txt`);
    await page.getByRole("link", { name: "printer" }).click();
    await page.getByRole("complementary", { name: "Resource install" }).waitFor();
    expect(problems).toEqual([]);
  });

  it("runs again once it has ended", async () => {
    const { id: stack } = await createStack(world.url, "rebooted", SERVER);
    await untilResource(world.url, `rebooted/${stack}`, "install", "CREATE_IN_PROGRESS");
    const { body } = await send(world.url, "GET", `${STACKS}/rebooted/${stack}/resources/install`);
    const id = String(at(body, "resource", "physical_resource_id"));
    const path = `/v1/${PROJECT}/software_deployments/${id}`;
    await send(world.url, "PUT", path, { status: "COMPLETE" });
    await untilStatus(world.url, "rebooted", "CREATE_COMPLETE");
    const { page, problems } = await world.open({ hash: `#/deployments/${id}` });
    await page.getByRole("button", { name: "Run again" }).click();
    await page.getByRole("button", { name: "Stop the run" }).waitFor();
    await untilResource(world.url, `rebooted/${stack}`, "install", "UPDATE_IN_PROGRESS");
    await send(world.url, "PUT", path, { status: "COMPLETE" });
    await page.getByRole("button", { name: "Run again" }).waitFor();
    await untilStatus(world.url, "rebooted", "UPDATE_COMPLETE");
    expect(problems).toEqual([]);
  });

  it("says why its run cannot be stopped, and that its end was asked for once it can", async () => {
    const value = { get_attr: ["web", "os_collect_config", "request", "metadata_url"] };
    const extra = { outputs: { url: { value } } };
    const hanging = await createStack(world.url, "hanging", SERVER, extra);
    const place = `hanging/${hanging.id}`;
    await untilResource(world.url, place, "install", "CREATE_IN_PROGRESS");
    const { body } = await send(world.url, "GET", `${STACKS}/${place}/resources/install`);
    const id = String(at(body, "resource", "physical_resource_id"));
    const { page, problems } = await world.open({ hash: `#/deployments/${id}` });
    const stop = page.getByRole("button", { name: "Stop the run" });
    await stop.click();
    await page
      .getByRole("alert")
      .getByText(/has no run that could be stopped: pub/)
      .waitFor();
    const refused = [expect.stringContaining("409")];
    expect(problems).toEqual(refused);
    await poll(`${STACKS}/${place}`);
    const verdict = page.getByRole("region", { name: "Verdict" });
    await verdict.getByText(/about to start$/).waitFor();
    await stop.click();
    await verdict.getByText(/about to start; its end was asked for/).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(problems).toEqual(refused);
  });

  it.each(["light", "phone"] satisfies Look[])("is one of thousands (%s)", async (look) => {
    const SERVERS = 1_000;
    const PER_SERVER = 4;
    const { page, problems } = await world.open({ session: null, look });
    await page.route("**/software_deployments?*", (route) => {
      const software_deployments = Array.from({ length: SERVERS * PER_SERVER }, (_, at) => {
        const server = String(at % SERVERS).padStart(4, "0");
        return {
          id: `d-${at}`,
          server_id: `s-${server}`,
          config_id: "c",
          status: "COMPLETE",
          status_reason: "",
          names: {
            server: `web-${server}`,
            stack: "fleet",
            resource: `install-${at}`,
            config: "c",
          },
          action: "CREATE",
          creation_time: "2026-01-01T00:00:00Z",
          updated_time: null,
          input_values: {},
          output_values: {},
        };
      });
      return route.fulfill({ json: { software_deployments } });
    });
    await page.getByLabel("Project").fill(PROJECT);
    await page.getByRole("button", { name: "Enter" }).click();
    await page.getByRole("link", { name: "Deployments" }).click();
    await page.getByRole("row", { name: /^Server web-0000/ }).waitFor();
    expect(await page.getByRole("row").count()).toBeLessThan(100);
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    const last = page.getByRole("row", { name: /install-3999/ });
    await last.waitFor();
    const pill = await last.getByText("Complete").boundingBox();
    expect(pill?.width, "the whole status is to be seen").toBeGreaterThan(80);
    await screenshot(page, `deployments-thousands-${look}`);
    await page.getByLabel("Search").fill("web-0500");
    await page.getByText("4 of 4000").waitFor();
    await page.getByRole("row", { name: /install-2500/ }).waitFor();
    expect(problems).toEqual([]);
  });

  it.each(["light", "dark", "phone"] satisfies Look[])("is without barriers (%s)", async (look) => {
    const { page } = await world.open({ hash: "#/deployments", look });
    await page
      .getByRole("row", { name: /Complete/ })
      .first()
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, `deployments-${look}`);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });
});
