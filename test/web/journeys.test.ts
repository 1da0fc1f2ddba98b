import { describe, expect, it } from "vitest";
import { type Look, screenshot, seriousFindings } from "./console-page.ts";
import { consoleWorld } from "./console-world.ts";
import { changeOf, click, editor } from "./draft-page.ts";
import { createStack, testResource, untilStatus } from "./hosts.ts";

const world = consoleWorld();

const waiting = (seconds: number, value: string) =>
  JSON.stringify({
    heat_template_version: "2018-08-31",
    resources: { thing: testResource({ value, wait_secs: seconds }) },
  });

describe("the first stack", () => {
  it("is written, previewed, created, and seen", async () => {
    const { page, problems } = await world.open({ hash: "#/create" });
    await editor(page).waitFor();
    await page.getByLabel("Name of the stack").fill("first");
    await page.getByLabel("length").fill("20");
    await click(page, "Preview");
    await changeOf(page, "password").waitFor();
    await page.locator("svg .node").first().waitFor();
    await screenshot(page, "create-previewed");
    await click(page, "Create");
    await page.getByRole("heading", { name: "first" }).waitFor();
    await page.getByRole("link", { name: /^password, .*Create complete/ }).waitFor();
    await page.getByRole("link", { name: "Outputs" }).click();
    expect((await page.locator("dd pre").textContent())?.length).toBe(20);
    expect(problems).toEqual([]);
  });

  it("shows all that is wrong with a template while it is written", async () => {
    const { page } = await world.open({ hash: "#/create" });
    await editor(page).fill(
      JSON.stringify({
        heat_template_version: "2018-08-31",
        resources: { a: { type: "OS::Nova::Sever" }, b: { type: "OS::Heat::Vaule" } },
      }),
    );
    const alert = page.getByRole("alert");
    await alert.getByText("OS::Nova::Sever").waitFor();
    await alert.getByText("OS::Heat::Vaule").waitFor();
    await screenshot(page, "create-faults");
  });
});

describe("the editor", () => {
  it("marks what is wrong in its line, and offers what may stand there", async () => {
    const { page } = await world.open({ hash: "#/create" });
    await editor(page).waitFor();
    await editor(page).press("Control+End");
    await page.keyboard.type("  size: { value: { get_attr: [password, nothing] } }");
    await page.getByRole("alert").getByText("Line 19: ").waitFor();
    await page.locator(".cm-lintRange-error").waitFor();
    await page.locator(".cm-lint-marker-error").hover();
    await page.locator(".cm-tooltip-lint").getByText("nothing").waitFor();
    await screenshot(page, "editor-fault");
    await page.keyboard.type(" ");
    await page.locator(".failure.old[aria-busy=true]").waitFor();
    await page.locator(".failure:not(.old)").getByText("Line 19: ").waitFor();
    const start = "heat_template_version: 2018-08-31\nresources:\n  server:\n    type: ";
    const write = async (before: string, typed: string) => {
      await editor(page).fill(before);
      await editor(page).press("Control+End");
      await page.keyboard.type(typed);
    };
    const offers = page.getByRole("listbox", { name: "Completions" });
    await write(start, "OS::Nova::Ser");
    await offers.getByRole("option", { name: "OS::Nova::Server", exact: true }).click();
    await editor(page).getByText("type: OS::Nova::Server").waitFor();
    await write(`${start}OS::Nova::Server\n    properties:\n      `, "fla");
    await offers.getByRole("option", { name: /^flavorstring/ }).waitFor();
    await page
      .locator(".failure:not(.old)")
      .getByText(/Line [56]: /)
      .waitFor();
    await screenshot(page, "editor-offers");
    await page.keyboard.press("Enter");
    await editor(page).getByText("flavor: ").waitFor();
  });
});

describe("an update", () => {
  it("that fails is rolled back before one's eyes", async () => {
    const { hash } = await createStack(world.url, "careful", {
      thing: testResource({ value: "1" }),
    });
    await untilStatus(world.url, "careful", "CREATE_COMPLETE");
    const { page } = await world.open({ hash: hash("resources") });
    await page.getByRole("link", { name: "Update", exact: true }).click();
    await editor(page).fill(
      JSON.stringify({
        heat_template_version: "2018-08-31",
        resources: { thing: testResource({ value: "2", fail: true }) },
      }),
    );
    await click(page, "Preview");
    await changeOf(page, "thing").waitFor();
    await click(page, "Apply");
    await page.getByRole("heading", { name: "careful" }).waitFor();
    await page
      .getByText(/^. (Rollback|Update) failed$|^. Rollback complete$/)
      .first()
      .waitFor();
  });

  it("overtakes a running one", async () => {
    const { hash } = await createStack(world.url, "hasty", { thing: testResource({ value: "0" }) });
    await untilStatus(world.url, "hasty", "CREATE_COMPLETE");
    const { page } = await world.open({ hash: hash("resources") });
    for (const [seconds, value] of [
      [6, "slow"],
      [0, "fast"],
    ] as const) {
      await page.getByRole("link", { name: "Update", exact: true }).click();
      await editor(page).fill(waiting(seconds, value));
      await click(page, "Preview");
      await page.getByRole("region", { name: "Preview" }).waitFor();
      await click(page, "Apply");
      await page.getByText("Update in progress").first().waitFor();
    }
    await page.getByRole("link", { name: "Events" }).click();
    const events = page.getByRole("list", { name: "Events, the newest first" });
    // Both updates began, and the second did not wait for the first.
    await events.getByText("Update in progress").nth(2).waitFor();
    await page.locator(".heading").getByText("Update complete").waitFor();
  });

  it("begins with the stack's template, in YAML", async () => {
    const { id } = await createStack(world.url, "written", {
      thing: testResource({ value: "1.0" }),
    });
    const { page } = await world.open({ hash: `#/update/written/${id}` });
    await editor(page).getByText("type: OS::Heat::TestResource").waitFor();
    await editor(page).getByText('value: "1.0"').waitFor();
  });

  it.each(["light", "dark", "phone"] satisfies Look[])("is without barriers (%s)", async (look) => {
    const { page, problems } = await world.open({ hash: "#/create", look });
    await page.getByLabel("length").waitFor();
    await editor(page).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, `create-${look}`);
    expect(problems).toEqual([]);
  });
});

describe("what one does to a stack", () => {
  it("suspends and resumes it", async () => {
    const { hash } = await createStack(world.url, "sleepy", { thing: testResource() });
    await untilStatus(world.url, "sleepy", "CREATE_COMPLETE");
    const { page } = await world.open({ hash: hash("resources") });
    await click(page, "Suspend");
    await page.locator(".heading").getByText("Suspend complete").waitFor();
    await click(page, "Resume");
    await page.locator(".heading").getByText("Resume complete").waitFor();
  });

  it("deletes it only after its name is typed, and says what is lost and what stays", async () => {
    const kept = { ...testResource(), deletion_policy: "Retain" };
    const { hash } = await createStack(world.url, "doomed", { thing: testResource(), kept });
    await untilStatus(world.url, "doomed", "CREATE_COMPLETE");
    const { page, problems } = await world.open({ hash: hash("resources") });
    await click(page, "Delete");
    const dialog = page.getByRole("dialog", { name: "Delete doomed?" });
    await dialog.getByText("This deletes, with all that it holds:").waitFor();
    await dialog.getByText("These stay").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, "delete");
    const confirm = dialog.getByRole("button", { name: "Delete" });
    expect(await confirm.isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await click(page, "Delete");
    await dialog.getByLabel("Type doomed to confirm").fill("doomed");
    await confirm.click();
    await page.getByRole("heading", { name: "Stacks" }).waitFor();
    await page.getByRole("link", { name: "doomed" }).waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  });
});
