/** The table of docs/cli.md is what the providers' doubles play. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CHANGES } from "./drift/drifted-object.ts";
import { DRIFTED_OBJECTS } from "./drift/drifted-objects.ts";
import { changesOf, playDrift } from "./drift/play-drift.ts";

const HEAD =
  "| object | what has become of it | check | preview | repair, or an update after the check | `update --converge` without a check |";

const page = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");

it("shows what becomes of each object that somebody has changed", async () => {
  const rows: string[] = [];
  for (const object of DRIFTED_OBJECTS) {
    const possible = await changesOf(object);
    for (const change of CHANGES.filter((one) => possible.includes(one))) {
      const { check, preview, repair, converge } = await playDrift(object, change);
      rows.push(`| ${[object.title, change, check, preview, repair, converge].join(" | ")} |`);
    }
  }
  const [, after = ""] = page.split(`${HEAD}\n`);
  const [shown = ""] = after.split("\n\n");
  expect(shown.split("\n").slice(1)).toEqual(rows);
  expect(rows.length).toBeGreaterThan(40);
}, 300_000);
