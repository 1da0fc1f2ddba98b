/** Why the unfinished resources of a stack, and of those nested in it, are where they are. */
import { inParallel } from "#lib/convergence/in-parallel.ts";
import { entityNotFound } from "#lib/errors.ts";
import type { ServerFindings } from "#lib/model/sighting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { explainDeploymentRow } from "#lib/software-config/diagnosis/explain-deployment.ts";
import { SERVER_SIGHTING_MS_MAX } from "#lib/software-config/diagnosis/limits.ts";
import { NESTED_DEPTH_MAX } from "#lib/stack/limits.ts";
import type { StackIdentity } from "../stacks/find-stack.ts";
import { listResources } from "./list-resources.ts";
import type { ResourceView } from "./resource-view.ts";
import { type CauseFacts, causeOf, isUnfinished, type RowCause } from "./row-cause.ts";
import { explainWait } from "./show-resource.ts";

/**
 * The verdict on a deployment costs nine reads.
 * @limit unfinished resources that a diagnosis explains
 * @beyond the others are counted
 */
const CAUSES_MAX = 100;

interface StackDiagnosis {
  readonly resources: readonly { readonly view: ResourceView; readonly cause: RowCause }[];
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
  const requirements = unfinished.flatMap((view) =>
    view.requiredBy.map((dependent) => ({ of: keyOf(view, dependent), name: view.name })),
  );
  const missing = Map.groupBy(requirements, (one) => one.of);
  const resources = await inParallel(
    shown.map((view) => async () => {
      const facts = {
        view,
        ...(await askType(ports, view)),
        missing: (missing.get(keyOf(view, view.name)) ?? []).map(({ name }) => name),
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

/** Only types that wait for something outside can say more than their row. */
const askType = async (
  ports: Ports,
  view: ResourceView,
): Promise<Pick<CauseFacts, "verdict" | "waitsFor">> => {
  const { row } = view;
  if (row === null || row.outcomeUnknown) return { verdict: null, waitsFor: null };
  const type = await ports.resourceTypes.get(row.type);
  const isRetried = row.operation !== null && (type?.explainRetry?.(row) ?? null) !== null;
  const mayBeDeployment = !isRetried && type?.waiting?.explainWait !== undefined;
  const deployment = mayBeDeployment ? await explainDeploymentRow(row, ports) : null;
  if (deployment !== null) return { verdict: deployment.diagnosis.verdict, waitsFor: null };
  return { verdict: null, waitsFor: await explainWait(ports, view) };
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
