import { describe, expect, it } from "vitest";
import type { WireEvent } from "#client/wire.ts";
import { durationText, timelineOf } from "../../../apps/console/src/timeline.ts";

const event = (second: number, name: string, status: string): WireEvent => ({
  id: `${name}${second}`,
  event_time: new Date(second * 1_000).toISOString(),
  resource_name: name,
  resource_status: status,
});

const timeline = (events: readonly WireEvent[], now = 9_000) => timelineOf(events, now, "app");

describe("the timeline of a stack", () => {
  it("has a bar from each start to its end", () => {
    const events = [
      event(1, "app", "CREATE_IN_PROGRESS"),
      event(2, "db", "CREATE_IN_PROGRESS"),
      event(5, "db", "CREATE_FAILED"),
      event(6, "app", "CREATE_FAILED"),
    ];
    const failed = { tone: "bad", status: "CREATE_FAILED" };
    expect(timeline(events.toReversed())).toEqual({
      from: 1_000,
      to: 6_000,
      rows: [
        { name: "app", bars: [{ from: 1_000, to: 6_000, ...failed }], waits: [] },
        {
          name: "db",
          bars: [{ from: 2_000, to: 5_000, ...failed }],
          waits: [{ from: 1_000, to: 2_000 }],
        },
      ],
    });
  });

  it("has each wait of a resource: in an operation of the stack, and between its own", () => {
    const events = [
      event(0, "old", "CREATE_IN_PROGRESS"),
      event(1, "app", "UPDATE_IN_PROGRESS"),
      event(2, "db", "CHECK_IN_PROGRESS"),
      event(3, "db", "CHECK_COMPLETE"),
      event(7, "db", "UPDATE_IN_PROGRESS"),
      event(8, "app", "UPDATE_IN_PROGRESS"),
      event(9, "db", "UPDATE_IN_PROGRESS"),
    ];
    const rows = timeline(events.toReversed())?.rows ?? [];
    expect(rows.map(({ name, waits }) => [name, waits.map(({ from, to }) => [from, to])])).toEqual([
      ["old", []],
      ["app", []],
      [
        "db",
        [
          [1_000, 2_000],
          [3_000, 7_000],
        ],
      ],
    ]);
  });

  it("lets what goes on end now, and what was overtaken where the next one begins", () => {
    const events = [event(1, "app", "UPDATE_IN_PROGRESS"), event(3, "app", "UPDATE_IN_PROGRESS")];
    expect(timeline(events.toReversed())?.rows[0]?.bars.map(({ from, to }) => [from, to])).toEqual([
      [1_000, 3_000],
      [3_000, 9_000],
    ]);
  });

  it("knows the start from the end within one second", () => {
    const events = [event(1, "app", "CREATE_COMPLETE"), event(1, "app", "CREATE_IN_PROGRESS")];
    expect(timeline(events)?.rows[0]?.bars).toEqual([
      { from: 1_000, to: 1_000, tone: "good", status: "CREATE_COMPLETE" },
    ]);
  });

  it("leaves out an end whose start it does not know", () => {
    expect(timeline([event(1, "app", "CREATE_COMPLETE")], 2_000)).toBeNull();
    expect(timeline([], 2_000)).toBeNull();
  });

  it("has no bar for a signal, and goes on with the operation that got it", () => {
    const events = [
      event(1, "db", "CREATE_IN_PROGRESS"),
      event(2, "db", "SIGNAL_IN_PROGRESS"),
      event(3, "db", "SIGNAL_COMPLETE"),
      event(5, "db", "CREATE_COMPLETE"),
      event(7, "db", "SIGNAL_IN_PROGRESS"),
    ];
    expect(timeline(events.toReversed())?.rows).toEqual([
      {
        name: "db",
        bars: [{ from: 1_000, to: 5_000, tone: "good", status: "CREATE_COMPLETE" }],
        waits: [],
      },
    ]);
  });

  it.each([
    [0, "under 1 s"],
    [25_000, "25 s"],
    [59_700, "1 min 0 s"],
    [200_000, "3 min 20 s"],
    [3_600_000, "1 h 0 min"],
    [30_000_000, "8 h 20 min"],
    [261_859_000, "3 d 0 h"],
  ])("says %i ms as %s", (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});
