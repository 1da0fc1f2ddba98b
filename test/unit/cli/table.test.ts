/** Tables on a terminal: a long last cell is read whole, and below its own column. */
import { expect, it } from "vitest";
import { tableLines } from "../../../cli/print.ts";

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
