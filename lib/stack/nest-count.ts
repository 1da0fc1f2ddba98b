/** Counts what a root nests. Templates may nest each other exponentially often, or themselves. */
import { requestLimitExceeded } from "#lib/errors.ts";
import {
  NESTED_DEPTH_MAX,
  NESTED_RESOURCES_PER_ROOT_MAX,
  NESTED_STACKS_PER_ROOT_MAX,
  RESOURCES_PER_ROOT_MAX,
} from "./limits.ts";

export const checkDepth = (depth: number): void => {
  if (depth <= NESTED_DEPTH_MAX) return;
  throw requestLimitExceeded(`Recursion depth exceeds ${NESTED_DEPTH_MAX}.`);
};

export class NestCount {
  #stacks = 0;
  #resources = 0;
  #made = 0;

  get isExceeded(): boolean {
    return (
      this.#stacks > NESTED_STACKS_PER_ROOT_MAX ||
      this.#resources > NESTED_RESOURCES_PER_ROOT_MAX ||
      this.#made > RESOURCES_PER_ROOT_MAX
    );
  }

  /**
   * Throws Heat's RequestLimitExceeded if this nested stack exceeds a limit. `copies` is the number
   * of stacks like it.
   */
  add(resources: number, copies = 1): void {
    this.#stacks += 1;
    this.#resources += resources;
    this.#made += resources * copies;
    if (this.isExceeded) throw requestLimitExceeded("Maximum resources per stack exceeded.");
  }
}
