import { describe, expect, it } from "vitest";
import { EventShape, ResourceShape } from "#client/wire.ts";
import { openTreeRows, openWaitReasons } from "../../../../apps/cli/stack/watchers.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const stack = { stack_name: "web", stack_status: "CREATE_IN_PROGRESS" };

const printedBy = (
  untilMs: number,
  causesAt: (now: number) => Readonly<Record<string, string>>,
  eventAt?: number,
): Readonly<Record<number, readonly string[]>> => {
  const reasons = openWaitReasons(0);
  const printed: Record<number, readonly string[]> = {};
  for (let now = 5 * SECOND_MS; now <= untilMs; now += 5 * SECOND_MS) {
    if (now === eventAt) reasons.heard(now);
    const lines = reasons.due(stack, new Map(Object.entries(causesAt(now))), now);
    if (lines.length > 0) printed[now / SECOND_MS] = lines;
  }
  return printed;
};

const STILL = '[web] is still CREATE_IN_PROGRESS: "hearth stack diagnose web" says more.';

const resource = (status: string) =>
  ResourceShape.parse({
    resource_name: "web",
    resource_type: "OS::Heat::None",
    resource_status: status,
    resource_status_reason: "state changed",
    physical_resource_id: "object",
    links: [],
  });

describe("the rows of the live tree", () => {
  it("tell a stack from its resource of the same name", () => {
    const rows = openTreeRows();
    const event = (id: string, reason: string) =>
      EventShape.parse({
        id,
        event_time: "2026-01-01T00:00:00Z",
        resource_name: "web",
        resource_status: "CREATE_IN_PROGRESS",
        resource_status_reason: reason,
        physical_resource_id: id,
        links: [],
      });
    rows.heard({ id: "the stack" }, [
      event("object", "state changed"),
      event("the stack", "Stack CREATE started"),
    ]);
    expect(rows.resourceRows([resource("CREATE_IN_PROGRESS")])).toMatchObject([
      { reason: "state changed" },
    ]);
  });

  it("show a cause only until its resource has another status", () => {
    const rows = openTreeRows();
    const waiting = [resource("CREATE_IN_PROGRESS")];
    rows.diagnosed(new Map([["web", "its provider has not finished"]]), waiting);
    expect(rows.resourceRows(waiting)).toMatchObject([
      { reason: "its provider has not finished", waits: true },
    ]);
    expect(rows.resourceRows([resource("CREATE_COMPLETE")])).toMatchObject([
      { reason: "state changed", waits: false },
    ]);
  });
});

describe("the reasons of a wait in a pipe", () => {
  it("come once, and again at 30 s, 2 min and 10 min, however their times pass", () => {
    const printed = printedBy(11 * MINUTE_MS, (now) => ({
      dep: `published ${now / SECOND_MS} s ago; server box last polled ${Math.floor(now / MINUTE_MS)} min ago`,
    }));
    expect(Object.keys(printed)).toEqual(["5", "35", "125", "605"]);
    expect(printed[5]).toEqual([
      expect.stringMatching(/^1970-01-01T00:00:05Z \[dep\] waits: published 5 s ago; server box/),
    ]);
    expect(printed[35]).toEqual([
      expect.stringMatching(/^1970-01-01T00:00:35Z \[dep\] waits: published 35 s ago/),
      `1970-01-01T00:00:35Z ${STILL}`,
    ]);
  });

  it("come every ten minutes afterwards, so that no system takes the command for dead", () => {
    const times = Object.keys(printedBy(HOUR_MS, () => ({ dep: "it waits" }))).map(Number);
    expect(times).toEqual([5, 35, 125, 605, 1_205, 1_805, 2_405, 3_005]);
  });

  it("come at once when one changes, and only that one", () => {
    const printed = printedBy(40 * SECOND_MS, (now) => ({
      a: "it waits",
      b: now < 20 * SECOND_MS ? "1 of 3 signals have come" : "2 of 3 signals have come",
    }));
    expect(printed).toEqual({
      5: [expect.stringContaining("[a] waits: it"), expect.stringContaining("[b] waits: 1 of 3")],
      20: [expect.stringContaining("[b] waits: 2 of 3")],
    });
  });

  it("count the silence from the last event", () => {
    expect(Object.keys(printedBy(60 * SECOND_MS, () => ({ a: "it waits" }), 25_000))).toEqual([
      "5",
      "55",
    ]);
  });

  it("say that the stack goes on where no reason is known", () => {
    expect(printedBy(40 * SECOND_MS, () => ({}))).toEqual({
      30: [`1970-01-01T00:00:30Z ${STILL}`],
    });
  });

  it("are those of five resources, and the others are counted", () => {
    const names = Array.from({ length: 60 }, (_, at) => [`r${at}`, "it waits"]);
    const { 5: lines } = printedBy(5 * SECOND_MS, () => Object.fromEntries(names));
    expect(lines).toHaveLength(6);
    expect(lines?.at(-1)).toBe("1970-01-01T00:00:05Z 55 more resources wait.");
  });
});
