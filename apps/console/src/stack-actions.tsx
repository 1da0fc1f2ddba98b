import { useId, useMemo, useState } from "preact/hooks";
import {
  ACTION_TITLES,
  act,
  actionsFor,
  type Losses,
  mayUpdate,
  readLosses,
  remove,
} from "./actions.ts";
import { useLive, useWork } from "./hooks.ts";
import { OwnerWarning } from "./owner.tsx";
import { Dialog, Failure, Waiting } from "./parts.tsx";
import { hashOf } from "./route.ts";
import { saveFile } from "./save-file.ts";
import { clientOf, type Session, textOf } from "./session.ts";
import type { Stack } from "./stack-data.ts";

const NAMES_SHOWN_MAX = 12;

const loadBundle = () => import("./support-bundle.ts");

interface ActionsProps {
  readonly session: Session;
  readonly stack: Stack;
}

const List = ({ names }: { names: readonly string[] }) => (
  <ul>
    {names.slice(0, NAMES_SHOWN_MAX).map((name) => (
      <li key={name}>{name}</li>
    ))}
    {names.length > NAMES_SHOWN_MAX && <li>and {names.length - NAMES_SHOWN_MAX} more</li>}
  </ul>
);

const LossLists = ({ lost, kept }: Losses) => (
  <>
    {lost.length === 0 && <p>Nothing of it exists.</p>}
    {lost.length > 0 && (
      <>
        <p>
          <strong>This deletes, with all that it holds:</strong>
        </p>
        <List names={lost} />
      </>
    )}
    {kept.length > 0 && (
      <>
        <p>These stay, because the template retains them:</p>
        <List names={kept} />
      </>
    )}
  </>
);

/** It deletes what it names: the names do not change while somebody reads them. */
const DeleteDialog = ({ session, stack, close }: ActionsProps & { close: () => void }) => {
  const client = useMemo(() => clientOf(session), [session]);
  const { value, error, reload } = useLive(
    `losses/${stack.id}`,
    () => readLosses(client, stack),
    () => false,
  );
  const [typed, setTyped] = useState("");
  const [refusal, setRefusal] = useState<string | null>(null);
  const fieldId = useId();
  const confirm = async (shown: Stack): Promise<void> => {
    try {
      await remove(client, shown);
      location.hash = hashOf({ screen: "stacks" });
    } catch (failure) {
      setRefusal(textOf(failure));
    }
  };
  const lookAgain = (): void => {
    setRefusal(null);
    setTyped("");
    reload();
  };
  const isReady = value !== null && refusal === null && typed === stack.stack_name;
  return (
    <Dialog title={`Delete ${stack.stack_name}?`} close={close}>
      <Failure text={refusal ?? error} />
      {value === null && error === null && <Waiting />}
      <OwnerWarning session={session} stack={stack} />
      {value !== null && <LossLists {...value} />}
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (value !== null) void confirm(value.stack);
        }}
      >
        <label for={fieldId}>
          Type <strong>{stack.stack_name}</strong> to confirm
        </label>
        <p>
          <input
            id={fieldId}
            value={typed}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </p>
        <div class="row-of-buttons">
          <button type="submit" class="danger" disabled={!isReady}>
            Delete
          </button>
          {refusal !== null && (
            <button type="button" onClick={lookAgain}>
              Look again
            </button>
          )}
          <button type="button" class="plain" onClick={close}>
            Keep it
          </button>
        </div>
      </form>
    </Dialog>
  );
};

export const StackActions = (props: ActionsProps & { reload: () => void }) => {
  const { session, stack, reload } = props;
  const { stack_name: name, id } = stack;
  const client = useMemo(() => clientOf(session), [session]);
  const actions = actionsFor(stack.stack_status);
  const [asks, setAsks] = useState(false);
  const { busy, error, run } = useWork();
  return (
    <>
      <div class="row-of-buttons actions">
        {mayUpdate(stack.stack_status) && (
          <a class="button" href={hashOf({ screen: "update", name, id })}>
            Update
          </a>
        )}
        {actions.includes("check") && (
          <a
            class={stack.stack_status === "CHECK_FAILED" ? "button" : "button plain"}
            href={hashOf({ screen: "repair", name, id })}
          >
            Repair
          </a>
        )}
        {actions.map((action) => (
          <button
            key={action}
            type="button"
            class="plain"
            disabled={busy}
            onClick={() => void run(() => act(client, stack, action).finally(reload))}
          >
            {ACTION_TITLES[action]}
          </button>
        ))}
        <button
          type="button"
          class="plain"
          disabled={busy}
          title="What somebody needs who helps, as a file"
          onClick={() =>
            void run(async () => {
              const { supportBundle } = await loadBundle();
              const text = await supportBundle(client, stack, new Date());
              saveFile(`${stack.stack_name}-support.json`, text, "application/json");
            })
          }
        >
          Support bundle
        </button>
        {stack.stack_status !== "DELETE_COMPLETE" && (
          <button type="button" class="plain delete" onClick={() => setAsks(true)}>
            Delete
          </button>
        )}
      </div>
      <Failure text={error} />
      {asks && <DeleteDialog {...props} close={() => setAsks(false)} />}
    </>
  );
};
