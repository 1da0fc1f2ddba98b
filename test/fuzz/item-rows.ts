/** The engine itself changes these tables, or they record what was refused. */
const NOT_COMPARED = new Set(["syncpoints", "evidence", "executions", "throttle", "apitokens"]);

/**
 * Removes what the engine itself changes: it settles stacks after their end, and polls operations.
 */
const withoutOwnWork = (item: string): string =>
  item
    .replace(/"(?:settled|unsettled|statusVersion)":\{"\w+":[^}]*\},?/g, "")
    .replace(/"version":\{"N":"\d+"\},?/, (found) =>
      item.includes('"operation":{"M"') ? "" : found,
    )
    .replace(/"nextPollAt":\{[^}]*\},?|"lease":\{"M":\{(?:[^{}]|\{[^{}]*\})*\}\},?/g, "");

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
