/** Two people work on one stack: nobody's request acts on a state that its page did not show. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, send } from "../integration/host/host-client.ts";
import { PROJECT, screenshot, seriousFindings } from "./console-page.ts";
import { consoleWorld } from "./console-world.ts";
import { click, editor } from "./draft-page.ts";
import { createStack, type MadeStack, STACKS, testResource, untilStatus } from "./hosts.ts";

const world = consoleWorld();
const A = { a: testResource({ value: "1" }) };
const textOf = (resources: JsonObject): string =>
  JSON.stringify({ heat_template_version: "2018-08-31", resources });
const WITH_PRECIOUS = textOf({ ...A, precious: testResource() });

const openStack = async (name: string): Promise<MadeStack & { path: string }> => {
  const stack = await createStack(world.url, name, A);
  await untilStatus(world.url, name, "CREATE_COMPLETE");
  return { ...stack, path: `${STACKS}/${name}/${stack.id}` };
};

/** The other person, who is faster. */
const addPrecious = async (name: string, path: string): Promise<void> => {
  await send(world.url, "PUT", path, { template: WITH_PRECIOUS });
  await untilStatus(world.url, name, "UPDATE_COMPLETE");
};

const resourcesOf = async (path: string): Promise<readonly unknown[]> => {
  const { body } = await send(world.url, "GET", `${path}/resources`);
  const resources = at(body, "resources");
  return Array.isArray(resources) ? resources.map((one) => at(one, "resource_name")) : [];
};

const changeOf = (page: Page, name: string, word: string) =>
  page
    .locator(".changes > li")
    .filter({ has: page.getByText(name, { exact: true }), hasText: word });

const openDraft = async (name: string, id: string, text: string, look: "light" | "dark") => {
  const { page, problems } = await world.open({ hash: `#/update/${name}/${id}`, look });
  await editor(page).getByText("heat_template_version").first().waitFor();
  await editor(page).fill(text);
  await click(page, "Preview");
  await changeOf(page, "a", "changed").waitFor();
  const { length } = problems;
  return { page, laterProblems: () => problems.slice(length) };
};

it.each(["light", "dark"] as const)("applies what was previewed, or nothing (%s)", async (look) => {
  const name = `binding-${look}`;
  const { id, path } = await openStack(name);
  const changed = textOf({ a: testResource({ value: "2" }) });
  const mine = await openDraft(name, id, changed, look);
  await addPrecious(name, path);
  await click(mine.page, "Apply");
  const alert = mine.page.getByRole("alert").filter({ hasText: "has moved since" });
  expect(await alert.textContent()).toMatch(/UPDATE began at \S+ and is COMPLETE/);
  expect(await resourcesOf(path)).toEqual(["a", "precious"]);
  expect(await mine.page.getByRole("button", { name: "Apply" }).count()).toBe(0);
  await screenshot(mine.page, `moved-refused-${look}`);
  expect(await seriousFindings(mine.page)).toEqual([]);
  await click(mine.page, "Preview again");
  await changeOf(mine.page, "precious", "removed").waitFor();
  await mine.page.getByText("Warning: The stack").waitFor();
  await screenshot(mine.page, `moved-previewed-again-${look}`);
  expect(mine.laterProblems().filter((text) => !text.includes("409"))).toEqual([]);
  await click(mine.page, "Apply");
  await mine.page.locator(".heading").getByText("Update complete").waitFor();
  expect(await resourcesOf(path)).toEqual(["a"]);
});

it("deletes what its dialog names, or nothing", async () => {
  const { hash, path } = await openStack("losing");
  const { page } = await world.open({ hash: hash("resources") });
  await click(page, "Delete");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("listitem").getByText("a", { exact: true }).waitFor();
  await dialog.getByRole("textbox").fill("losing");
  await addPrecious("losing", path);
  await page.locator(".heading").getByText("Update complete").waitFor();
  expect(await dialog.getByRole("listitem").getByText("precious").count()).toBe(0);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("alert").filter({ hasText: "has moved since" }).waitFor();
  await screenshot(page, "moved-delete");
  expect(await resourcesOf(path)).toEqual(["a", "precious"]);
  await dialog.getByRole("button", { name: "Look again" }).click();
  await dialog.getByRole("listitem").getByText("precious", { exact: true }).waitFor();
  expect(await dialog.getByRole("alert").count()).toBe(0);
  await dialog.getByRole("textbox").fill("losing");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "Stacks" }).waitFor();
});

it("suspends and checks the stack that its page shows, or nothing", async () => {
  const { hash, path } = await openStack("resting");
  const { page } = await world.open({ hash: hash("resources") });
  // The other request arrives after the click and before its own.
  await page.route(
    `**/v1/${PROJECT}/stacks/resting/*/actions*`,
    async (route) => {
      await addPrecious("resting", path);
      await route.continue();
    },
    { times: 1 },
  );
  await click(page, "Suspend");
  await page.getByRole("alert").filter({ hasText: "has moved since" }).waitFor();
  await page.locator(".heading").getByText("Update complete").waitFor();
  await click(page, "Suspend");
  await page.locator(".heading").getByText("Suspend complete").waitFor();
});
