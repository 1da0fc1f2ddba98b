import { expect, it } from "vitest";
import { openBodyRoom } from "#host/body-room.ts";

/** Smaller bodies are not counted. */
const SMALL = 65_536;

it("gives a project as much as it leaves free, so that others always find a share", () => {
  const room = openBodyRoom(1_000);
  const places = ["a", "b", "c"].map((project) => room.open(false).of(project));
  const taken = places.map((share) => {
    let bytes = SMALL;
    while (share.resize(bytes + 1)) bytes += 1;
    return bytes - SMALL;
  });
  expect(taken).toEqual([500, 250, 125]);
});

it("counts all requests of a project together, and no longer once they have ended", () => {
  const room = openBodyRoom(1_000);
  const first = room.open(false);
  expect(first.of("a").resize(SMALL + 400)).toBe(true);
  expect(
    room
      .open(false)
      .of("a")
      .resize(SMALL + 200),
  ).toBe(false);
  expect(
    room
      .open(true)
      .of("a")
      .resize(SMALL + 500),
  ).toBe(true);
  first.end();
  expect(
    room
      .open(false)
      .of("a")
      .resize(SMALL + 500),
  ).toBe(true);
});
