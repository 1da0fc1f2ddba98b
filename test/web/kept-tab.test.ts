/** What an open tab shows while its host is upgraded or moves. docs/outside.md promises it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createToken } from "#host/credentials.ts";
import { startHost } from "#host/host.ts";
import { PROJECT } from "./console-page.ts";
import { consoleWorld } from "./console-world.ts";
import { createStack, testResource, untilStatus } from "./hosts.ts";

const world = consoleWorld();

describe("an open tab", () => {
  it("goes on with another version of its host, and says what helps where a part is gone", async () => {
    const { id, hash } = await createStack(world.url, "kept", { thing: testResource() });
    await untilStatus(world.url, "kept", "CREATE_COMPLETE");
    const { page } = await world.open();
    await page.getByRole("row", { name: /kept/ }).waitFor();
    // The parts of a newer console have other addresses.
    await page.route(/\/assets\/graph-tab-/, (route) => route.fulfill({ status: 404 }));
    await createStack(world.url, "newer", { thing: testResource() });
    await page.getByRole("row", { name: /newer/ }).waitFor();
    await page.goto(`${world.url}/${hash("graph")}`);
    await page.getByText("The host may have another version now: load the page again.").waitFor();
    await page.unroute(/\/assets\/graph-tab-/);
    await page.reload();
    await page.locator("svg .node").first().waitFor();
    expect(page.url()).toContain(id);
  });

  it("asks for the token again at another address of its host", async () => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-web-"));
    const { token } = createToken(folder, PROJECT, null);
    const former = await startHost({ port: 0, data: folder, auth: "tokens" });
    const { page } = await world.open({ session: null }, former.url);
    await page.getByLabel("Project").fill(PROJECT);
    await page.getByRole("button", { name: "Enter" }).click();
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Enter" }).click();
    await page.getByRole("heading", { name: "Stacks" }).waitFor();
    await former.stop();
    const moved = await startHost({ port: 0, data: folder, auth: "tokens" });
    try {
      expect(moved.url).not.toBe(former.url);
      await page.goto(moved.url);
      await page.getByLabel("Project").waitFor();
    } finally {
      await moved.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
