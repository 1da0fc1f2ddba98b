/**
 * For `hearth doctor --objects`. Cloud Control lists only identifiers, so each object costs a call.
 * The tag names neither project nor stack.
 */
import type { MarkedObject } from "#provider/provider.ts";
import type { Accounts } from "../client.ts";
import type { TypeTable } from "../tables/type-table.ts";
import { isMadeHere } from "./own-tag.ts";

const LIST_MS_MAX = 60_000;

export const canList = ({ tags, handlers }: TypeTable): boolean =>
  tags !== undefined && handlers.includes("list") && handlers.includes("read");

export const markedOf =
  (type: string, table: TypeTable, accounts: Accounts) =>
  async (tenant: string): Promise<readonly MarkedObject[]> => {
    const account = await accounts(tenant);
    const signal = AbortSignal.timeout(LIST_MS_MAX);
    const found: MarkedObject[] = [];
    let page: string | null = null;
    do {
      const listed: Awaited<ReturnType<typeof account.list>> = await account.list(
        type,
        page,
        signal,
      );
      for (const physicalId of listed.identifiers) {
        const model = await account.read(type, physicalId, signal);
        if (model !== null && isMadeHere(table, model)) found.push({ physicalId });
      }
      page = listed.next;
    } while (page !== null);
    return found;
  };
