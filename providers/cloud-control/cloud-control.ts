/** Every `AWS::*` type that Cloud Control makes (docs/run-on-aws-types.md). */
import type { Accounts } from "./client.ts";
import { packedTables } from "./tables/packed-tables.ts";
import { readTables } from "./tables/read-tables.ts";
import { type CloudControlType, cloudControlType } from "./types/cloud-control-type.ts";

export interface CloudControlProvider {
  readonly name: string;
  readonly names: readonly string[];
  /** Null: Cloud Control cannot make such objects. */
  type(name: string): CloudControlType | null;
}

export const cloudControlProvider = (accounts: Accounts): CloudControlProvider => {
  const tables = readTables(packedTables());
  return {
    name: "aws",
    names: tables.names,
    type: (name) => {
      const table = tables.table(name);
      return table && cloudControlType(name, table, accounts);
    },
  };
};
