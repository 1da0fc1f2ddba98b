/** What of the deployment took part in a run: a function that never ran and a table that nothing lies in were not tried out. */
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { logicalName } from "./functions.ts";
import { namesOf } from "./stage.ts";

/** `check-resource` is CheckResource. */
const pascal = (name: string): string =>
  name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Of this stage, by the folders of all workers that the emulator ever started. */
export const functionsThatRan = (stage: string, workers: readonly string[]): readonly string[] =>
  [...new Set(namesOf(stage, workers).map(logicalName))].toSorted();

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
