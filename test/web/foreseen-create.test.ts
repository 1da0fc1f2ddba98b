import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { type Look, screenshot, seriousFindings } from "./console-page.ts";
import { consoleWorld } from "./console-world.ts";

const world = consoleWorld();

const scenario = (...dependsOn: readonly string[]) => ({
  type: "Hearth::Test::Scenario",
  depends_on: dependsOn,
});
const TEMPLATE = JSON.stringify({
  heat_template_version: "2018-08-31",
  resources: {
    network: scenario(),
    servers: {
      type: "OS::Heat::ResourceGroup",
      depends_on: ["network"],
      properties: { count: 3, resource_def: { type: "Hearth::Test::Scenario" } },
    },
    balancer: scenario("servers"),
  },
});

const middleOf = async (page: Page, name: string): Promise<{ x: number; y: number }> => {
  const node = page.locator("svg .node", { hasText: name }).first();
  const { x, y, width, height } = (await node.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
};

describe("the preview of a create", () => {
  it.each(["light", "dark", "phone"] satisfies Look[])(
    "stands around what it nests, without barriers (%s)",
    async (look) => {
      const { page } = await world.open({ look, hash: "#/create" });
      await page.getByLabel("Name of the stack").fill("shop");
      await page.getByRole("textbox", { name: "Template" }).fill(TEMPLATE);
      await page.getByRole("button", { name: "Preview", exact: true }).click();
      await page.locator("svg .node").first().waitFor();
      const titles = await page.locator("svg .node title").allTextContents();
      expect(titles.toSorted()).toEqual([
        "0, Hearth::Test::Scenario, added",
        "1, Hearth::Test::Scenario, added",
        "2, Hearth::Test::Scenario, added",
        "balancer, Hearth::Test::Scenario, added",
        "network, Hearth::Test::Scenario, added",
        "servers, OS::Heat::ResourceGroup, added, holds 3",
      ]);
      const [network, balancer] = [
        await middleOf(page, "network"),
        await middleOf(page, "balancer"),
      ];
      const isUpright = look === "phone";
      expect(network.y < balancer.y - 40).toBe(isUpright);
      expect(network.x < balancer.x - 40).toBe(!isUpright);
      await screenshot(page, `create-foreseen-${look}`);
      expect(await seriousFindings(page)).toEqual([]);
    },
  );
});
