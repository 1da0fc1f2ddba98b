/** All `AWS::*` types that Cloud Control can make (docs/run-on-aws-types.md). */
import type { Accounts } from "./client.ts";
import { packedTables } from "./tables/packed-tables.ts";
import { readTables, type TypeTables } from "./tables/read-tables.ts";
import { type CloudControlType, cloudControlType } from "./types/cloud-control-type.ts";
import { requestOf } from "./types/pending.ts";

export interface CloudControlProvider {
  readonly name: string;
  readonly names: readonly string[];
  readonly unlisted: typeof UNLISTED;
  type(name: string): CloudControlType | null;
}

const PREFIX = "AWS::";

/** `hearth doctor --objects` shows this, because listing every type would take too many calls. */
const UNLISTED = {
  types: "other AWS::* types",
  why: "only the types that a stack of the project has are listed; `aws resourcegroupstaggingapi get-resources --tag-filters Key=hearth:operation` lists the objects of all that take tags",
  isRequest: (physicalId: string): boolean => requestOf(physicalId) !== null,
} as const;

export const cloudControlProvider = (accounts: Accounts): CloudControlProvider => {
  let unpacked: TypeTables | null = null;
  const tables = (): TypeTables => {
    unpacked ??= readTables(packedTables());
    return unpacked;
  };
  return {
    name: "aws",
    unlisted: UNLISTED,
    get names() {
      return tables().names;
    },
    type: (name) => {
      const table = name.startsWith(PREFIX) ? tables().table(name) : null;
      return table && cloudControlType(name, table, accounts);
    },
  };
};
