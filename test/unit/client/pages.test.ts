import { describe, expect, it } from "vitest";
import { PAGE_ENTRIES_MAX, readAllPages, readAllResources } from "#client/pages.ts";
import type { WireEvent, WireResource } from "#client/wire.ts";

const eventAt = (at: number): WireEvent => ({
  id: `event-${at}`,
  event_time: "2026-01-01T00:00:00Z",
  resource_name: "web",
  resource_status: "CREATE_COMPLETE",
  resource_status_reason: "state changed",
  physical_resource_id: "",
});

const serverWith = (count: number) => {
  const events = Array.from({ length: count }, (_, at) => eventAt(at));
  const asked: (string | null)[] = [];
  const read = async (marker: string | null) => {
    asked.push(marker);
    const from = events.findIndex(({ id }) => id === marker) + 1;
    return events.slice(from, from + PAGE_ENTRIES_MAX);
  };
  return { events, asked, read };
};

describe("reading all events", () => {
  it.each([
    [0, 1],
    [PAGE_ENTRIES_MAX - 1, 1],
    [PAGE_ENTRIES_MAX, 2],
    [2 * PAGE_ENTRIES_MAX + 5, 3],
  ])("of %i takes %i pages", async (count, pages) => {
    const { events, asked, read } = serverWith(count);
    expect(await readAllPages(read, null)).toEqual(events);
    expect(asked).toHaveLength(pages);
  });

  it("begins after the marker", async () => {
    const { events, asked, read } = serverWith(5);
    expect(await readAllPages(read, "event-2")).toEqual(events.slice(3));
    expect(asked).toEqual(["event-2"]);
  });

  it("ends even if the server ignores the marker", async () => {
    const page = Array.from({ length: PAGE_ENTRIES_MAX }, (_, at) => eventAt(at));
    expect(await readAllPages(async () => page, null)).toHaveLength(2 * PAGE_ENTRIES_MAX);
  });
});

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
