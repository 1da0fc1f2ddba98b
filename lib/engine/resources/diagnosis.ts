/** Why the unfinished resources of a stack, and of those nested in it, are where they are. */
import { inParallel } from "#lib/convergence/in-parallel.ts";
import { entityNotFound } from "#lib/errors.ts";
import type { ServerFindings } from "#lib/model/sighting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { explainDeploymentRow } from "#lib/software-config/diagnosis/explain-deployment.ts";
import { SERVER_SIGHTING_MS_MAX } from "#lib/software-config/diagnosis/limits.ts";
import { NESTED_DEPTH_MAX } from "#lib/stack/limits.ts";
import { resourceContext } from "#lib/stack/resource-context.ts";
import type { StackIdentity } from "../stacks/find-stack.ts";
import { listResources } from "./list-resources.ts";
import type { ResourceView } from "./resource-view.ts";
import { type CauseFacts, causeOf, isUnfinished, type RowCause } from "./row-cause.ts";

/**
 * The verdict on a deployment costs nine reads.
 * @limit unfinished resources that a diagnosis explains
 * @beyond the others are counted
 */
const CAUSES_MAX = 100;

interface ExplainedResource {
  readonly view: ResourceView;
  readonly cause: RowCause;
}

interface StackDiagnosis {
  readonly resources: readonly ExplainedResource[];
  readonly omitted: number;
}

export const diagnoseStack = async (
  ports: Ports,
  identity: StackIdentity,
): Promise<StackDiagnosis> => {
  const query = {
    nestedDepth: NESTED_DEPTH_MAX,
    matches: isUnfinished,
    page: null,
    withFormer: true,
  };
  const views = await listResources(ports, identity, query);
  const unfinished = views.toSorted((left, right) => rank(left) - rank(right));
  const shown = unfinished.slice(0, CAUSES_MAX);
  const missing = missingRequirements(unfinished);
  const resources = await inParallel(
    shown.map((view) => async () => {
      const facts = {
        view,
        ...(await askType(ports, view)),
        missing: missing.get(keyOf(view, view.name)) ?? [],
      };
      return { view, cause: causeOf(facts, ports.clock.now()) };
    }),
  );
  return { resources, omitted: unfinished.length - shown.length };
};

const rank = ({ row }: ResourceView): number => {
  if (row === null || row.action === "INIT") return 2;
  return row.status === "FAILED" ? 0 : 1;
};

const keyOf = ({ stack }: ResourceView, name: string): string => `${stack.id}/${name}`;

const missingRequirements = (
  unfinished: readonly ResourceView[],
): ReadonlyMap<string, readonly string[]> => {
  const missing = new Map<string, string[]>();
  for (const view of unfinished) {
    for (const dependent of view.requiredBy) {
      const key = keyOf(view, dependent);
      const names = missing.get(key);
      if (names === undefined) missing.set(key, [view.name]);
      else names.push(view.name);
    }
  }
  return missing;
};

/** Only types that wait for something outside can say more than their row. */
const askType = async (
  ports: Ports,
  { row }: ResourceView,
): Promise<Pick<CauseFacts, "verdict" | "waitsFor">> => {
  const nothing = { verdict: null, waitsFor: null };
  if (row === null || row.outcomeUnknown) return nothing;
  const type = await ports.resourceTypes.get(row.type);
  const retried = row.operation === null ? null : (type?.explainRetry?.(row) ?? null);
  if (retried !== null) return { verdict: null, waitsFor: retried };
  const explain = type?.waiting?.explainWait;
  if (explain === undefined) return nothing;
  const deployment = await explainDeploymentRow(row, ports);
  if (deployment !== null) return { verdict: deployment.diagnosis.verdict, waitsFor: null };
  const waits = row.operation !== null && row.operation.handle !== null;
  return {
    verdict: null,
    waitsFor: waits ? await explain(row, resourceContext(ports, row)) : null,
  };
};

/**
 * A server's status as its provisioner reports it, in Nova's words. Hearth makes no machines. The
 * provisioner knows why one did not boot or has no address, and diagnoses begin with that.
 */
interface ServerReport {
  readonly status: NonNullable<ServerFindings["reportedStatus"]>;
  readonly addresses: readonly string[] | null;
  readonly fault: string | null;
}

/** Replaces the last report and returns its time. Throws 404, also for another tenant's server. */
export const reportServer = async (
  { softwareConfigs, clock }: Ports,
  tenant: string,
  serverId: string,
  { status, addresses, fault }: ServerReport,
): Promise<number> => {
  const server = await softwareConfigs.getServer(serverId);
  if (server?.tenant !== tenant) throw entityNotFound("Server", serverId);
  const now = clock.now();
  await softwareConfigs.noteServer(
    { tenant, stackId: server.stackId, serverId, expiresAt: now + SERVER_SIGHTING_MS_MAX },
    {
      reportedStatus: status,
      reportedAddresses: addresses,
      reportedFault: fault,
      reportedAt: now,
    },
  );
  return now;
};
