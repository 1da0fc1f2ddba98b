/** Barriers: resources that stand between two batches of a group's members (docs/adr/0011). */

export const BARRIER_TYPE = "Hearth::Barrier";

/** A member of a scaling group has no such name. */
export const isBarrierName = (name: string): boolean => /^_*batch_\d+_done$/.test(name);

/** Before batch `at`, of which the first is 0. A member may have any name, so it avoids those. */
export const barrierName = (at: number, isTaken: (name: string) => boolean): string => {
  let name = `batch_${at}_done`;
  while (isTaken(name)) name = `_${name}`;
  return name;
};
