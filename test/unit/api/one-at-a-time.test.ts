import { expect, it } from "vitest";
import { openOneAtATime } from "#lib/api/one-at-a-time.ts";

it("the large answers of a project are made one after another, and no other project waits", async () => {
  const inTurn = openOneAtATime();
  const told: string[] = [];
  const gate = Promise.withResolvers<void>();
  const work =
    (name: string, until: Promise<void> = Promise.resolve()) =>
    async () => {
      told.push(`${name} begins`);
      await until;
      told.push(`${name} ends`);
      return name;
    };
  const failing = async () => Promise.reject(new Error("too long"));
  const first = inTurn("a", work("first", gate.promise));
  const second = expect(inTurn("a", failing)).rejects.toThrow("too long");
  const third = inTurn("a", work("third"));
  expect(await inTurn("b", work("other"))).toBe("other");
  expect(told).toEqual(["first begins", "other begins", "other ends"]);
  gate.resolve();
  expect(await Promise.all([first, third])).toEqual(["first", "third"]);
  await second;
  expect(told.slice(3)).toEqual(["first ends", "third begins", "third ends"]);
});
