/** Items of DynamoDB as rows that an attack may not change. */

/** They change by the engine's own work, or keep what was refused. */
const NOT_COMPARED = new Set(["syncpoints", "evidence", "executions", "throttle", "apitokens"]);

/** The engine settles stacks after their end, and polls what waits. */
const withoutOwnWork = (item: string): string =>
  item
    .replace(/"(?:settled|unsettled|statusVersion)":\{"\w+":[^}]*\},?/g, "")
    .replace(/"version":\{"N":"\d+"\},?/, (found) =>
      item.includes('"operation":{"M"') ? "" : found,
    )
    .replace(/"nextPollAt":\{[^}]*\},?|"lease":\{"M":\{(?:[^{}]|\{[^{}]*\})*\}\},?/g, "");

/** The rows that hold one of these texts. */
export const itemRows = (
  items: ReadonlyMap<string, readonly object[]>,
  texts: readonly string[],
): ReadonlySet<string> => {
  const rows = [...items]
    .filter(([table]) => !NOT_COMPARED.has(table.toLowerCase()))
    .flatMap(([table, of]) =>
      of.map((item) => `${table}: ${withoutOwnWork(JSON.stringify(item))}`),
    );
  return new Set(rows.filter((row) => texts.some((text) => row.includes(text))));
};
