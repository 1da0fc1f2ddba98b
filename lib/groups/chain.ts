/** The members of a ResourceChain. Their dependencies are true ones, and hold in deletes too. */
import type { Json, JsonObject } from "#lib/json.ts";
import { templateDocument } from "./template-document.ts";

export interface Chain {
  readonly types: readonly string[];
  /** All members have the same. Undefined: the chain has none. */
  readonly properties: JsonObject | undefined;
  /** Else each member waits for the one before. */
  readonly isConcurrent: boolean;
}

/** The members of a ResourceChain: their names are their places. */
export const chainMembers = ({
  types,
  properties,
  isConcurrent,
}: Chain): readonly (readonly [name: string, body: JsonObject])[] =>
  types.map((type, at) => [
    String(at),
    {
      type,
      ...(properties === undefined ? {} : { properties }),
      ...(isConcurrent || at === 0 ? {} : { depends_on: [String(at - 1)] }),
    },
  ]);

/** Heat also limits how many members of a concurrent chain work at once, by its own processes. */
export const chainTemplate = (chain: Chain, outputs: ReadonlyMap<string, Json>): JsonObject =>
  templateDocument("2015-04-30", chainMembers(chain), outputs);
