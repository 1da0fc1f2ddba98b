import { useMemo } from "preact/hooks";
import { openNestedPaths } from "#client/nested-paths.ts";
import { type ExplainedResource, isImplied, tryDiagnosis } from "#client/stack-diagnosis.ts";
import { useLive, useRepeated } from "./hooks.ts";
import { clientOf } from "./session.ts";
import type { TabProps } from "./stack-tabs.tsx";

/** The text of a wait counts the time, and changes without an event. */
const LOOK_MS = 5_000;
const CAUSES_SHOWN = 3;

/** The stack's own reason, shown above, already contains this cause. */
const isTold = ({ cause }: ExplainedResource, stack: TabProps["stack"]): boolean =>
  cause.kind === "failed" &&
  cause.advice.length === 0 &&
  (stack.stack_status_reason ?? "").includes(cause.summary);

interface Why {
  readonly path: string;
  readonly cause: ExplainedResource["cause"];
}

const Causes = ({ causes, hrefOf }: { causes: readonly Why[]; hrefOf: TabProps["hrefOf"] }) => (
  <ul>
    {causes.map(({ path, cause }) => (
      <li key={path}>
        <a href={hrefOf(path.split("/")[0] ?? null)}>{path}</a>: {cause.certain ? "" : "Probably: "}
        {cause.summary}
        {cause.advice.map((advice) => (
          <p class="help" key={advice}>
            {advice}
          </p>
        ))}
      </li>
    ))}
  </ul>
);

export const WhyNotDone = ({ session, stack, hrefOf }: TabProps) => {
  const client = useMemo(() => clientOf(session), [session]);
  const isDone = stack.stack_status.endsWith("_COMPLETE");
  const { value, reload } = useLive(
    `why/${stack.id}/${isDone}`,
    async (): Promise<readonly Why[]> => {
      const diagnosis = isDone ? null : ((await tryDiagnosis(client, stack))?.diagnosis ?? null);
      const resources = diagnosis?.resources ?? [];
      const paths = openNestedPaths(stack);
      paths.learnResources(resources);
      return resources
        .filter((one) => !isImplied(one) && !isTold(one, stack))
        .map((resource) => ({ path: paths.ofResource(resource), cause: resource.cause }));
    },
    (hint) => !isDone && (hint === "all" || hint.includes(stack.id)),
  );
  useRepeated(reload, LOOK_MS, stack.stack_status.endsWith("_IN_PROGRESS"));
  const causes = value ?? [];
  if (isDone || causes.length === 0) return null;
  const more = causes.slice(CAUSES_SHOWN);
  return (
    <section class="why-not-done" aria-labelledby="why-not-done">
      <h2 id="why-not-done">Why it is not done</h2>
      <Causes causes={causes.slice(0, CAUSES_SHOWN)} hrefOf={hrefOf} />
      {more.length > 0 && (
        <details>
          <summary>{more.length} more</summary>
          <Causes causes={more} hrefOf={hrefOf} />
        </details>
      )}
    </section>
  );
};
