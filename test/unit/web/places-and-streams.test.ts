import { describe, expect, it } from "vitest";
import { hashOf, routeOf } from "../../../apps/console/src/route.ts";
import { eventReader } from "../../../apps/console/src/sse.ts";
import { toneOf } from "../../../apps/console/src/status.ts";
import { agoText, dateText, timeOf } from "../../../apps/console/src/time.ts";

describe("a place of the console", () => {
  it("comes back from its address, whatever the names hold", () => {
    const route = {
      screen: "stack",
      name: "a/b #?%",
      id: "1",
      tab: "graph",
      resource: "r/\u00e9",
    } as const;
    expect(routeOf(hashOf(route))).toEqual(route);
    expect(routeOf(hashOf({ ...route, resource: null }))).toEqual({ ...route, resource: null });
  });

  it.each(["update", "repair"] as const)("may be the %s of a stack", (screen) => {
    expect(routeOf(hashOf({ screen, name: "a/b", id: "1" }))).toEqual({
      screen,
      name: "a/b",
      id: "1",
    });
    expect(routeOf(`#/${screen}/a`)).toEqual({ screen: "stacks" });
  });

  it.each(["", "#", "#/x", "#/stacks/a", "#/stacks/%zz/1"])(
    "is the list of stacks for %j",
    (hash) => {
      expect(routeOf(hash)).toEqual({ screen: "stacks" });
    },
  );
});

describe("a stream of events", () => {
  it("is read in pieces of any size", () => {
    const text = ": beat\n\nevent: open\ndata: {}\n\nevent: change\r\ndata: a\r\ndata: b\r\n\r\n";
    const expected = [
      { name: "open", data: "{}" },
      { name: "change", data: "a\nb" },
    ];
    for (const size of [2, 3, 7, 1_000]) {
      const read = eventReader();
      const pieces = text.replaceAll("\r", "").match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      expect(pieces.flatMap((piece) => read(piece))).toEqual(expected);
    }
    expect(eventReader()(text)).toEqual(expected);
  });
});

describe("a status", () => {
  it.each([
    ["CREATE_COMPLETE", "good"],
    ["UPDATE_IN_PROGRESS", "busy"],
    ["ROLLBACK_FAILED", "bad"],
    ["ROLLBACK_COMPLETE", "warn"],
    ["SUSPEND_COMPLETE", "warn"],
    ["RESUME_COMPLETE", "good"],
    ["CHECK_COMPLETE", "good"],
    ["INIT_COMPLETE", "quiet"],
    ["DELETE_COMPLETE", "quiet"],
  ])("%s has the tone %s", (status, tone) => expect(toneOf(status)).toBe(tone));
});

describe("a time", () => {
  it("without a zone is UTC", () => {
    expect(timeOf("2026-01-02T03:04:05")).toBe(Date.UTC(2026, 0, 2, 3, 4, 5));
    expect(timeOf("2026-01-02T03:04:05Z")).toBe(timeOf("2026-01-02T03:04:05"));
  });

  it("is told in the reader's zone and language", () => {
    expect(dateText("2026-01-02T23:30:00Z", "de-DE", "Asia/Tokyo")).toBe("03.01.2026, 08:30:00");
    const now = Date.UTC(2026, 0, 2, 3, 4, 5);
    expect(agoText("2026-01-02T03:01:05", now, "en")).toBe("3 minutes ago");
    expect(agoText("2026-01-02T03:04:05", now, "en")).toBe("now");
    expect(agoText("2026-01-02T03:04:08", now, "en")).toBe("now");
    expect(agoText("2025-12-31T03:04:05", now, "fr")).toBe("avant-hier");
  });
});
