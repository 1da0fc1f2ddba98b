import { expect, it } from "vitest";
import { readAllResources } from "#client/resource-pages.ts";
import type { WireResource } from "#client/wire.ts";

const resource = (name: string): WireResource => ({
  resource_name: name,
  resource_type: "OS::Heat::Value",
  resource_status: "CREATE_COMPLETE",
  resource_status_reason: "",
  physical_resource_id: "",
  updated_time: "2026-01-01T00:00:00Z",
});

it("follows the links of a server that has pages, and reads one page of another", async () => {
  const asked: string[] = [];
  const read = async (next: string) => {
    asked.push(next);
    const links =
      next === ""
        ? [{ rel: "next", href: "http://h/v1/t/stacks/a/b/resources?marker=b%2Fc+d" }]
        : [];
    return { resources: [resource(`after ${next}`)], links };
  };
  const all = await readAllResources(read);
  expect(asked).toEqual(["", "&marker=b%2Fc%20d"]);
  expect(all).toEqual([resource("after "), resource("after &marker=b%2Fc%20d")]);
  const single = await readAllResources(async () => ({ resources: [resource("a")], links: [] }));
  expect(single).toEqual([resource("a")]);
});
