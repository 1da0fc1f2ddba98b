/**
 * What the engine's own requests cost on AWS while it makes resources by Cloud Control, which is a
 * double here. They are counted as in `npm run bench -- cost`.
 */
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import type { ProvidedTypes } from "#lib/resources/registry.ts";
import { openAccount } from "#providers/cloud-control/account/aws-account.ts";
import { cloudControlProvider } from "#providers/cloud-control/cloud-control.ts";
import {
  type DoubleOptions,
  environmentFor,
  startDouble,
} from "#test/cloud-control/cloud-control-double.ts";
import { ROLE } from "#test/cloud-control/provider-at.ts";
import { templateOf } from "#test/cloud-control/thousand-resources.ts";
import { openAwsTarget } from "#test/contract/aws-emulators.ts";
import { type CostRow, costRow } from "../cost/cost-row.ts";
import { graphOf } from "../cost/graphs.ts";
import { runTraversal } from "../cost/run.ts";

export interface OwnCost extends CostRow {
  /** Calls of Cloud Control per resource, which AWS does not charge. */
  readonly calls: number;
}

export interface CountedLife {
  readonly resources: number;
  readonly double: DoubleOptions;
  readonly deletes: boolean;
}

const providedBy = async (): Promise<ProvidedTypes> => {
  const account = await openAccount("cost", ROLE);
  const family = cloudControlProvider(() => account);
  const bound = { family, limit: callLimit(), now: Date.now };
  return { types: [], formerProvider: () => null, family: bound };
};

export const ownCost = async ({ resources, double, deletes }: CountedLife): Promise<OwnCost> => {
  const target = await openAwsTarget();
  const running = await startDouble(double);
  Object.assign(process.env, environmentFor(running.url));
  try {
    const graph = graphOf("independent", resources);
    const environment = { parameters: {}, parameterDefaults: {}, resourceRegistry: {} };
    const source = { template: templateOf(resources), files: {}, environment };
    const options = { deletes, source, provided: await providedBy() };
    const run = await runTraversal(target.connection, target.place, graph, options);
    return { ...costRow(graph, run), calls: running.double.allCalls / resources };
  } finally {
    await running.stop();
    await target.close();
  }
};
