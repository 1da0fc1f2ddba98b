export interface Turn {
  readonly tenant: string;
  readonly messages: number;
}

/** Projects after `last` come first, so a receive that is too small for all continues with them. */
export const takeInTurn = (
  waiting: readonly string[],
  last: string,
  max: number,
  mayTake: (tenant: string) => number = () => max,
): readonly Turn[] => {
  const open = waiting.filter((tenant) => mayTake(tenant) > 0).sort();
  const next = [...open.filter((tenant) => tenant > last), ...open.filter((one) => one <= last)];
  const each = Math.max(1, Math.floor(max / next.length));
  return next
    .slice(0, max)
    .map((tenant) => ({ tenant, messages: Math.min(each, mayTake(tenant)) }));
};
