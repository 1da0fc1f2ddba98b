/** The functions and tables that a run used, because a function that never ran was not tested. */
import { ENVIRONMENTS } from "#functions/aws/environment.ts";

const pascal = (name: string): string =>
  name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

export const functionsThatRan = (
  functions: ReadonlyMap<string, string>,
  workers: readonly string[],
): readonly string[] =>
  [...functions]
    .filter(([, physicalName]) => workers.some((worker) => worker.includes(physicalName)))
    .map(([name]) => name)
    .toSorted();

export const functionsThatDidNot = (ran: readonly string[]): readonly string[] =>
  Object.keys(ENVIRONMENTS)
    .map(pascal)
    .filter((name) => !ran.includes(name))
    .map((name) => `${name} never ran`);

export const emptyTables = (items: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(items).flatMap(([name, count]) => (count === 0 ? [`${name} holds nothing`] : []));

export const itemsText = (items: Readonly<Record<string, number>>): string =>
  Object.entries(items)
    .map(([name, count]) => `${name} ${count}`)
    .toSorted()
    .join(", ");
