/**
 * Limits what one request may merge. A request may name the same file many times, and each merge
 * copies the values and makes them larger.
 */
import { requestLimitExceeded } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import { isCollection } from "./json-shape.ts";
import { jsonBytes } from "./value-budget.ts";

/**
 * @limit values of environment files in one request, counted with each file that they are merged
 * with
 * @beyond 400 `RequestLimitExceeded`
 */
export const MERGED_BYTES_MAX = 16_777_216;
const MEMBER_BYTES = 32;

export class MergeBudget {
  #bytes = 0;

  spend(value: Json): void {
    this.#add(jsonBytes(value, MERGED_BYTES_MAX));
  }

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
