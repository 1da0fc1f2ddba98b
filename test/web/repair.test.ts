import { expect, it } from "vitest";
import { send } from "../integration/host/host-client.ts";
import { MACHINE, openMachines } from "../unit/provider/machines.ts";
import { type Look, PROJECT, screenshot, seriousFindings } from "./console-page.ts";
import { consoleWorld } from "./console-world.ts";
import { createStack, type MadeStack, STACKS, untilStatus } from "./hosts.ts";

const { provider, machines } = openMachines();
const world = consoleWorld({ plugins: [{ source: "here", provider }] });
const PROPERTIES = { size: "small", image: "first" };

const open = (hash: string, look: Look = "light") => world.open({ look, hash });

const openFarm = async (name: string): Promise<{ farm: MadeStack; machine: string }> => {
  const before = new Set(machines.keys());
  const farm = await createStack(world.url, name, {
    barn: { type: MACHINE, properties: PROPERTIES },
    note: { type: "OS::Heat::Value", properties: { value: "kept" } },
  });
  await untilStatus(world.url, name, "CREATE_COMPLETE");
  const machine = [...machines.keys()].find((id) => !before.has(id)) ?? "";
  return { farm, machine };
};

const change = (machine: string): void => {
  machines.set(machine, { properties: { ...PROPERTIES, size: "large" }, runs: true });
};

it("leads from a check that has found drift to what would be done, and does it", async () => {
  const { farm, machine } = await openFarm("farm");
  change(machine);
  await send(world.url, "POST", `${STACKS}/farm/${farm.id}/actions`, { check: null });
  await untilStatus(world.url, "farm", "CHECK_FAILED");
  const { page, problems } = await open(farm.hash("resources"));
  await page.getByRole("link", { name: "Repair" }).click();
  await page.getByRole("heading", { name: "Repair farm" }).waitFor();
  const foreseen = page.getByRole("region", { name: "Preview" });
  await foreseen.getByText("because it is repaired: it has another size").waitFor();
  await foreseen.locator("svg .node").first().waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await screenshot(page, "repair");
  const phone = await open(new URL(page.url()).hash, "phone");
  await phone.page.getByRole("region", { name: "Preview" }).waitFor();
  await screenshot(phone.page, "repair-phone");
  expect(machines.get(machine)?.properties).toMatchObject({ size: "large" });
  await foreseen.getByRole("button", { name: "Repair" }).click();
  await page.locator(".heading").getByText("Update complete").waitFor();
  expect(machines.get(machine)).toEqual({ properties: PROPERTIES, runs: true });
  expect(problems).toEqual([]);
});

it("looks first if nobody has, and says that nothing has drifted", async () => {
  const { farm } = await openFarm("sound");
  const { page, problems } = await open(farm.hash("resources"));
  await page.getByRole("link", { name: "Repair" }).click();
  await page.getByRole("button", { name: "Look for drift" }).click();
  await page.getByText("No resource has drifted.").waitFor();
  expect(await page.getByRole("region", { name: "Preview" }).count()).toBe(0);
  expect(await seriousFindings(page)).toEqual([]);
  await screenshot(page, "repair-nothing");
  expect(problems).toEqual([]);
});

it("finds anew what has drifted since, and is refused if the stack has moved", async () => {
  const { farm, machine } = await openFarm("moving");
  const { page } = await open(`#/repair/moving/${farm.id}`);
  await page.getByRole("button", { name: "Look for drift" }).click();
  await page.getByText("No resource has drifted.").waitFor();
  change(machine);
  await page.getByRole("button", { name: "Look again" }).click();
  const repair = page.getByRole("region", { name: "Preview" }).getByRole("button");
  await repair.filter({ hasText: "Repair" }).waitFor();
  // The page learns too late of the other request, which changes the stack just before its own.
  await page.route(`**/v1/${PROJECT}/stacks/moving/**`, async (route) => {
    if (route.request().method() === "PATCH" && route.request().url().includes("basis=")) {
      const mark = { mark_unhealthy: true };
      await send(world.url, "PATCH", `${STACKS}/moving/${farm.id}/resources/note`, mark);
    }
    await route.continue();
  });
  await repair.filter({ hasText: "Repair" }).click();
  await page.getByText("has moved since this request was prepared").waitFor();
  expect(machines.get(machine)?.properties).toMatchObject({ size: "large" });
});
