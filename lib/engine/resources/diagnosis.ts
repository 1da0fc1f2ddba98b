/** Why the unfinished resources of a stack, and of those nested in it, are where they are. */
import { inParallel } from "#lib/convergence/in-parallel.ts";
import { entityNotFound } from "#lib/errors.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { ServerFindings } from "#lib/model/sighting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { explainDeploymentRow } from "#lib/software-config/diagnosis/explain-deployment.ts";
import type { Verdict } from "#lib/software-config/diagnosis/facts.ts";
import { SERVER_SIGHTING_MS_MAX } from "#lib/software-config/diagnosis/limits.ts";
import { span } from "#lib/software-config/diagnosis/wording.ts";
import { NESTED_DEPTH_MAX } from "#lib/stack/limits.ts";
import { shellWord } from "#lib/texts.ts";
import type { StackIdentity } from "../stacks/find-stack.ts";
import { listResources } from "./list-resources.ts";
import { type ResourceView, turnText } from "./resource-view.ts";
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

type CauseKind =
  | "unknown_outcome"
  | "hook"
  | "failed"
  | "deployment"
  | "nested"
  | "provider"
  | "requirements";

interface RowCause extends Omit<Verdict, "cause"> {
  readonly kind: CauseKind;
  readonly nextPollAt: number | null;
}

interface CauseFacts {
  readonly view: ResourceView;
  readonly verdict: Verdict | null;
  readonly waitsFor: string | null;
  readonly missing: readonly string[];
}

const NAMES_MAX = 5;

const listOf = (names: readonly string[]): string =>
  names.length > NAMES_MAX
    ? `${names.slice(0, NAMES_MAX).join(", ")} and ${names.length - NAMES_MAX} more`
    : names.join(", ");

/** A nested stack's name is long, and its id finds it as well. */
const stackArgument = ({ stack }: ResourceView): string =>
  stack.owner === null ? stack.name : stack.id;

const cause = (kind: CauseKind, summary: string, advice: readonly string[] = []): RowCause => ({
  kind,
  stage: null,
  certain: true,
  summary,
  advice,
  nextPollAt: null,
});

/** Why a resource is not done: a pure function of its row and of what its server reports. */
export const isUnfinished = ({ row, stack, isFormer }: ResourceView): boolean => {
  if (row === null || row.action === "INIT") {
    return isFormer !== true && stack.status === "IN_PROGRESS";
  }
  const waitsAtHook = row.pause !== null && !row.pause.cleared;
  if (row.outcomeUnknown || waitsAtHook) return true;
  // A failure of a replaced row no longer matters, unless its removal fails too.
  const isReplaced = row.action !== "DELETE" && row.replacedBy !== null;
  const isOver = isFormer === true && row.status === "FAILED" && isReplaced;
  return row.status !== "COMPLETE" && !isOver;
};

const whichOf = (row: Resource): string =>
  row.action === "DELETE" || row.replacedBy !== null
    ? "the former one, which is to be removed"
    : "the one that should replace it";

export const causeOf = (facts: CauseFacts, now: number): RowCause => {
  const found = causeOfRow(facts, now);
  const { isFormer, row } = facts.view;
  return isFormer === true && row !== null
    ? { ...found, summary: `${whichOf(row)}: ${found.summary}` }
    : found;
};

const causeOfRow = (facts: CauseFacts, now: number): RowCause => {
  const { view, verdict } = facts;
  const { row, name } = view;
  if (row?.pause && !row.pause.cleared) {
    const { hook } = row.pause;
    const clear = `let it go on: \`hearth stack hook clear ${stackArgument(view)} ${shellWord(name)} ${hook}\``;
    return cause("hook", `it waits at the hook ${hook} until a user clears it`, [clear]);
  }
  if (row?.outcomeUnknown) {
    const resolve = `say what is so: \`hearth stack resource resolve ${stackArgument(view)} ${shellWord(name)}\``;
    return cause("unknown_outcome", row.statusReason, [resolve]);
  }
  if (row === null || row.action === "INIT") return notBegun(facts, now);
  if (row.status === "FAILED") return cause("failed", row.statusReason, verdict?.advice ?? []);
  const nextPollAt = row.nextPollAt;
  if (verdict !== null) {
    const { stage, certain, summary, advice } = verdict;
    return { kind: "deployment", stage, certain, summary, advice, nextPollAt };
  }
  if (view.nested !== null) {
    return { ...cause("nested", "it waits for the resources of its stack"), nextPollAt };
  }
  return { ...cause("provider", providerWait(facts, now)), nextPollAt };
};

const notBegun = ({ view: { turn }, missing }: CauseFacts, now: number): RowCause => {
  if (missing.length > 0) return cause("requirements", `it waits for ${listOf(missing)}`);
  return cause(
    "requirements",
    turn === undefined
      ? "its dependencies are ready, and it starts next"
      : turnText(turn, listOf(turn.working), now),
  );
};

const providerWait = ({ view: { row }, waitsFor }: CauseFacts, now: number): string => {
  const operation = row?.operation ?? null;
  if (operation === null) return "its operation is about to begin or to end";
  const time = span(now - operation.startedAt);
  if (operation.handle === null && waitsFor === null) {
    return `the call to its provider has been under way for ${time}`;
  }
  const said = waitsFor ?? "its provider has not finished";
  const at = row?.nextPollAt ?? null;
  const next = at === null ? "" : `, asked again in ${span(at - now)}`;
  return `${said}; ${operation.action} since ${time}${next}`;
};
