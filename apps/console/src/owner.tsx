import { useMemo } from "preact/hooks";
import { useLive } from "./hooks.ts";
import { hashOf } from "./route.ts";
import { clientOf, type Session } from "./session.ts";
import { readName, type Stack } from "./stack-data.ts";

interface OwnerProps {
  readonly session: Session;
  readonly stack: Pick<Stack, "parent">;
}

const OwnerLink = ({ session, id }: { session: Session; id: string }) => {
  const client = useMemo(() => clientOf(session), [session]);
  // Neither the name nor the id of the owner ever changes.
  const { value } = useLive(
    `owner/${id}`,
    () => readName(client, id),
    () => false,
  );
  if (value === null) return <>another stack</>;
  const place = { screen: "stack", tab: "graph", resource: null } as const;
  return <a href={hashOf({ ...place, name: value, id })}>{value}</a>;
};

export const Owner = ({ session, stack }: OwnerProps) =>
  stack.parent ? (
    <p class="quiet">
      Nested in <OwnerLink session={session} id={stack.parent} />
    </p>
  ) : null;

/** Stands where somebody is about to change a stack behind its owner's back. */
export const OwnerWarning = ({ session, stack }: OwnerProps) =>
  stack.parent ? (
    <p class="verdict stuck">
      <strong>Warning: </strong>
      This stack is a part of <OwnerLink session={session} id={stack.parent} />, which made it and
      does not expect that somebody else changes it. Change its owner instead.
    </p>
  ) : null;
