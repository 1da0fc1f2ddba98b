/** Every `AWS::*` type that Cloud Control makes (docs/run-on-aws-types.md). */
import type { Accounts } from "./client.ts";
import { packedTables } from "./tables/packed-tables.ts";
import { readTables, type TypeTables } from "./tables/read-tables.ts";
import { type CloudControlType, cloudControlType } from "./types/cloud-control-type.ts";
import { requestOf } from "./types/pending.ts";

export interface CloudControlProvider {
  readonly name: string;
  readonly names: readonly string[];
  readonly unlisted: typeof UNLISTED;
  /** Null: Cloud Control cannot make such objects. */
  type(name: string): CloudControlType | null;
}

const PREFIX = "AWS::";

/** For `hearth doctor --objects`, which cannot ask AWS for all types one by one. */
const UNLISTED = {
  types: "other AWS::* types",
  why: "only the types that a stack of the project has are listed; `aws resourcegroupstaggingapi get-resources --tag-filters Key=hearth:operation` lists the objects of all that take tags",
  isRequest: (physicalId: string): boolean => requestOf(physicalId) !== null,
} as const;

/** Unpacks the tables when the first type or the list of names is asked for. */
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
