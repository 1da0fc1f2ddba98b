/**
 * How much may be merged in one request. The same file may be named many times, and with each of
 * them the merged values grow and are copied.
 */
import { requestLimitExceeded } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import { isCollection } from "./json-shape.ts";
import { jsonBytes } from "./value-budget.ts";

/**
 * Of all values, each counted with every file that it is merged with.
 * @limit values of environment files in one request, counted with each file that they are merged
 * with
 * @beyond 400 `RequestLimitExceeded`
 */
export const MERGED_BYTES_MAX = 16_777_216;
/** What copying the member of a map takes, in bytes. */
const MEMBER_BYTES = 32;

export class MergeBudget {
  #bytes = 0;

  /** A value that is made. A list or a map is known only when it is made, and then small enough. */
  spend(value: Json): void {
    this.#add(jsonBytes(value, MERGED_BYTES_MAX));
  }

  /** A map whose members are copied, but not what is in them. */
  copy(section: Json): void {
    if (isCollection(section)) this.#add(Object.keys(section).length * MEMBER_BYTES);
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= MERGED_BYTES_MAX) return;
    throw requestLimitExceeded(
      `The values of the environment files have more than ${MERGED_BYTES_MAX} bytes when they are merged.`,
    );
  }
}
