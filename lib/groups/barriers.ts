/** Barriers: resources that stand between two batches of a group's members (docs/adr/0011). */

export const BARRIER_TYPE = "Hearth::Barrier";

/** Before batch `at`, of which the first is 0. A member may have any name, so it avoids those. */
export const barrierName = (at: number, isTaken: (name: string) => boolean): string => {
  let name = `batch_${at}_done`;
  while (isTaken(name)) name = `_${name}`;
  return name;
};
