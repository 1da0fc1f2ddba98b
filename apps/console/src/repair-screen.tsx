import { useMemo } from "preact/hooks";
import { act } from "./actions.ts";
import { ForeseenSection } from "./foreseen-section.tsx";
import { useLive, useWork } from "./hooks.ts";
import { Failure, Status, Waiting } from "./parts.tsx";
import { hasDrifted, type Repair, readRepair, repair } from "./repair.ts";
import { hashOf } from "./route.ts";
import { clientOf, type Session } from "./session.ts";
import type { StackName } from "./stack-data.ts";

interface RepairProps {
  readonly session: Session;
  readonly stack: StackName;
}

const wordsOf = (found: Repair): string => {
  if (found.kind === "busy") return "This goes on. What is found shows here once it has ended.";
  if (found.kind === "not looked") {
    return "A check asks the provider of every resource what is there, and changes nothing.";
  }
  return hasDrifted(found.foreseen)
    ? "Nothing is repaired before you say so."
    : "No resource has drifted.";
};

export const RepairPart = ({ session, stack }: RepairProps) => {
  const client = useMemo(() => clientOf(session), [session]);
  const { busy, error, run: runWork } = useWork();
  const found = useLive(
    `repair/${stack.id}`,
    () => readRepair(client, stack),
    (hint) => hint === "all" || hint.includes(stack.id),
  );
  const run = async (work: () => Promise<void>): Promise<void> => {
    await runWork(work);
    found.reload();
  };
  const { value } = found;
  if (value === null) return found.error === null ? <Waiting /> : <Failure text={found.error} />;
  const look = () => run(() => act(client, value.shown, "check"));
  const foreseen = value.kind === "found" && hasDrifted(value.foreseen) ? value.foreseen : null;
  return (
    <>
      <p>
        <Status status={value.shown.stack_status} /> {wordsOf(value)}
      </p>
      <Failure text={error ?? found.error} />
      <div class="row-of-buttons actions">
        <button
          type="button"
          class={value.kind === "not looked" ? "" : "plain"}
          disabled={busy || value.kind === "busy"}
          onClick={() => void look()}
        >
          {value.kind === "found" ? "Look again" : "Look for drift"}
        </button>
      </div>
      {foreseen !== null && (
        <ForeseenSection foreseen={foreseen}>
          <button
            type="button"
            disabled={busy}
            onClick={() =>
              void run(async () => {
                await repair(client, stack, foreseen);
                const { stack_name: name, id } = stack;
                location.hash = hashOf({ screen: "stack", name, id, tab: "graph", resource: null });
              })
            }
          >
            Repair
          </button>
        </ForeseenSection>
      )}
    </>
  );
};
