/**
 * `AWS::*` types for functions that only check templates and plan. This module imports no AWS
 * client, so that these functions stay small. The table of types is unpacked when a template names
 * the first of them.
 */
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import { Bug } from "#lib/errors.ts";
import type { Clock } from "#lib/ports/ports.ts";
import type { ProvidedTypes } from "#lib/resources/registry.ts";
import type { Accounts } from "#providers/cloud-control/client.ts";
import { cloudControlProvider } from "#providers/cloud-control/cloud-control.ts";

export const awsTypesOf = (accounts: Accounts, { now }: Clock): ProvidedTypes => ({
  types: [],
  family: { family: cloudControlProvider(accounts), limit: callLimit(), now },
});

const unbound: Accounts = () => {
  throw new Bug("this process may act in no account: it makes no provider calls");
};

export const awsSchemas = (clock: Clock): ProvidedTypes => awsTypesOf(unbound, clock);
