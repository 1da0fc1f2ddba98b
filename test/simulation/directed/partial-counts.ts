import { aStack, settle, update } from "../world/drive.ts";
import type { ResourceSpec, Spec } from "../world/spec.ts";
import { expectEqual } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { replaced, v } from "./specs.ts";

const RESOURCES = 100;
const names = Array.from({ length: RESOURCES }, (_, at) => `n${at}`);

const apart = (first: ResourceSpec): Spec =>
  Object.fromEntries(names.map((name, at) => [name, at === 0 ? first : v("1")]));

const chain = (changed: number, value: string): Spec =>
  Object.fromEntries(
    names.map((name, at) => [
      name,
      v(at === changed ? value : "1", at === 0 ? {} : { to: `n${at - 1}` }),
    ]),
  );

const star = (first: ResourceSpec): Spec =>
  Object.fromEntries(
    names.map((name, at) => [name, at === 0 ? first : { ...v("1"), after: ["n0"] }]),
  );

const fanIn = (others: ResourceSpec): Spec =>
  Object.fromEntries(
    names.map((name, at) => [
      name,
      at === RESOURCES - 1 ? { ...v("1"), after: names.slice(0, -1) } : others,
    ]),
  );

const countWrites = (world: World): (() => number) => {
  let writes = 0;
  const { store } = world;
  const counted = <Given extends readonly unknown[], Answer>(
    method: (...given: Given) => Promise<Answer>,
  ) => {
    const real = method.bind(store);
    return (...given: Given): Promise<Answer> => {
      writes++;
      return real(...given);
    };
  };
  Object.assign(store, {
    writeResource: counted(store.writeResource),
    writeStack: counted(store.writeStack),
    putGraph: counted(store.putGraph),
    putInputData: counted(store.putInputData),
    arrive: counted(store.arrive),
  });
  return () => writes;
};

const costs = (title: string, before: Spec, now: Spec, messages: number, writes: number): Case => ({
  title: `P24, S21: of ${RESOURCES} resources, ${title}`,
  run: async () => {
    const world = await aStack(before);
    const written = countWrites(world);
    await update(world, now);
    expectEqual("messages", await settle(world, "UPDATE_COMPLETE"), messages);
    expectEqual("writes", written(), writes);
  },
});

const group = (count: number): Spec => ({ g: { group: { count, member: v("1") } } });

/** The parent's visits and polls are among the counted messages and writes. */
const growsByOne: Case = {
  title: "P24, S21: a group grows by one at the same cost, however many members it has",
  run: async () => {
    for (const count of [1, RESOURCES]) {
      const world = await aStack(group(count));
      const written = countWrites(world);
      await update(world, group(count + 1));
      expectEqual(`messages for ${count}`, await settle(world, "UPDATE_COMPLETE"), 6);
      expectEqual(`writes for ${count}`, written(), 19);
    }
  },
};

export const DIRECTED_PARTIAL_COUNTS: readonly Case[] = [
  costs("one that stands alone changes", apart(v("1")), apart(v("2")), 3, 9),
  costs("the last of a chain changes", chain(99, "1"), chain(99, "2"), 3, 9),
  costs("the first of a chain changes", chain(0, "1"), chain(0, "2"), 201, 405),
  costs("one that all others wait for changes in place", star(v("1")), star(v("2")), 3, 9),
  costs(
    "one that all others wait for is replaced",
    star(replaced("1")),
    star(replaced("2")),
    4,
    112,
  ),
  costs(
    "all that one waits for are replaced",
    fanIn(replaced("1")),
    fanIn(replaced("2")),
    300,
    997,
  ),
  costs("none differs, in another record", apart(v("1")), apart(v("1")), 1, 4),
  growsByOne,
];
