import { describe } from "vitest";
import type { Store } from "#lib/ports/store.ts";
import { eventsContract } from "./events.contract.ts";
import { graphsContract } from "./graphs.contract.ts";
import type { Open } from "./opened.ts";
import { resourcesContract } from "./resources.contract.ts";
import { stacksContract } from "./stacks.contract.ts";
import { syncPointsContract } from "./sync-points.contract.ts";

export const storeContract = (name: string, open: Open<Store>): void => {
  describe(name, () => {
    stacksContract(open);
    graphsContract(open);
    resourcesContract(open);
    syncPointsContract(open);
    eventsContract(open);
  });
};
