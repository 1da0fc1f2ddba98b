/** What a page says of a stack is so, and it offers only what can be done. */
import { expect, it } from "vitest";
import { at, send } from "../integration/host/host-client.ts";
import { type Look, screenshot, seriousFindings } from "./console-page.ts";
import { consoleWorld } from "./console-world.ts";
import { createStack, STACKS, testResource, untilStatus } from "./hosts.ts";

const world = consoleWorld();

it("offers no update of a stack that is suspended or deleted, and says that it is deleted", async () => {
  const { id, hash } = await createStack(world.url, "old", { a: testResource() });
  await untilStatus(world.url, "old", "CREATE_COMPLETE");
  const { page, problems } = await world.open({ hash: hash("graph") });
  const update = page.getByRole("link", { name: "Update" });
  await update.waitFor();
  await page.getByRole("button", { name: "Suspend" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  expect(await update.count()).toBe(0);
  await send(world.url, "DELETE", `${STACKS}/old/${id}`);
  await page.getByText("This stack is deleted. Only its events are still here.").waitFor();
  await page.getByText("This stack has no resources.").waitFor();
  expect(await update.count()).toBe(0);
  await screenshot(page, "stack-deleted");
  await page.goto(`${world.url}/#/update/old/${id}`);
  await page.getByText("cannot be updated").waitFor();
  expect(problems).toEqual([]);
});

it.each<Look>(["light", "dark"])("says who owns a nested stack (%s)", async (look) => {
  const name = `family-${look}`;
  const { id } = await createStack(world.url, name, {
    group: {
      type: "OS::Heat::ResourceGroup",
      properties: { count: 2, resource_def: { type: "OS::Heat::TestResource" } },
    },
  });
  await untilStatus(world.url, name, "CREATE_COMPLETE");
  const { body } = await send(world.url, "GET", `${STACKS}/${name}/${id}/resources/group`);
  const below = String(at(body, "resource", "physical_resource_id"));
  const { page, problems } = await world.open({ look });
  await page.getByRole("link", { name }).click();
  await page.getByRole("link", { name: "group" }).click();
  await page.locator(`a[href*="${below}"]`).click();
  await page.getByText("Nested in").getByRole("link", { name }).waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("This stack is a part of").getByRole("link", { name }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await screenshot(page, `nested-delete-${look}`);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Update" }).click();
  await page.getByText("This stack is a part of").getByRole("link", { name }).waitFor();
  await screenshot(page, `nested-update-${look}`);
  expect(problems).toEqual([]);
});

it("says how far an operation is, above the stack and in the list", async () => {
  const { hash } = await createStack(world.url, "growing", {
    first: testResource(),
    second: testResource({ wait_secs: 300 }, "first"),
    third: testResource({}, "second"),
  });
  const { page, problems } = await world.open({ hash: hash("resources") });
  await page.locator(".heading").getByText("1 of 3 done, 1 running").waitFor();
  await screenshot(page, "stack-progress");
  await page.getByRole("link", { name: "Stacks" }).click();
  await page.getByRole("row", { name: "growing" }).getByText("1 of 3 done, 1 running").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await screenshot(page, "stacks-progress");
  expect(problems).toEqual([]);
});

it("closes the panel of a resource with Escape, and only what is uppermost", async () => {
  const { hash } = await createStack(world.url, "panels", { a: testResource() });
  await untilStatus(world.url, "panels", "CREATE_COMPLETE");
  const { page } = await world.open({ hash: hash("resources", "a") });
  const panel = page.getByRole("complementary", { name: "Resource a" });
  await panel.waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  expect(await panel.count()).toBe(1);
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "hidden" });
  expect(new URL(page.url()).hash).toBe(hash("resources"));
});
