/**
 * `names` with all that depends on one of them: directly, through others, and so on.
 * `directly` says what depends on a name without another one between them.
 */
export const withDependents = (
  names: Iterable<string>,
  directly: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> => {
  const found = new Set(names);
  // A loop over a set also visits what is added to it meanwhile.
  for (const one of found) for (const above of directly.get(one) ?? []) found.add(above);
  return found;
};
