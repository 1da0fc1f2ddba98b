import { expect, it } from "vitest";
import { eventLines, tableLines } from "../../../apps/cli/print.ts";

const ROWS = [
  ["web", "it waits for the server to poll again"],
  ["db", "none"],
];

it("are not broken in a pipe", () => {
  expect(tableLines(["NAME", "REASON"], ROWS)).toEqual([
    "NAME  REASON",
    "web   it waits for the server to poll again",
    "db    none",
  ]);
});

it("go on below the column", () => {
  expect(tableLines(["NAME", "REASON"], ROWS, 32)).toEqual([
    "NAME  REASON",
    "web   it waits for the server to",
    "      poll again",
    "db    none",
  ]);
});

it("go on below the row if the column is too narrow", () => {
  expect(tableLines(["A LONG NAME", "REASON"], ROWS, 30)).toEqual([
    "A LONG NAME  REASON",
    "web",
    "    it waits for the server to",
    "    poll again",
    "db           none",
  ]);
});

it("leave events whole in a pipe, and break them between words on a terminal", () => {
  const event = {
    id: "1",
    event_time: "2026-01-01T00:00:00Z",
    resource_name: "web",
    resource_status: "CREATE_FAILED",
    resource_status_reason: "the image of the server is too large for it",
  };
  expect(eventLines(event, "app/web", Number.POSITIVE_INFINITY)).toEqual([
    "2026-01-01T00:00:00Z [app/web] CREATE_FAILED  the image of the server is too large for it",
  ]);
  expect(eventLines(event, "app/web", 60)).toEqual([
    "2026-01-01T00:00:00Z [app/web] CREATE_FAILED  the image of",
    "    the server is too large for it",
  ]);
});
