import { useId, useMemo, useState } from "preact/hooks";
import type { WireResource } from "#client/wire.ts";
import { ACTION_TITLES, act, actionsFor, remove, retainedIn } from "./actions.ts";
import { useLive, useWork } from "./hooks.ts";
import { Dialog, Failure, Waiting } from "./parts.tsx";
import { hashOf, type Route } from "./route.ts";
import { saveFile } from "./save-file.ts";
import { clientOf, type Session, textOf } from "./session.ts";
import { readTemplate, type Stack } from "./stack-data.ts";

const NAMES_SHOWN_MAX = 12;

const loadBundle = () => import("./support-bundle.ts");

interface ActionsProps {
  readonly session: Session;
  readonly stack: Stack;
  readonly resources: readonly WireResource[];
}

const List = ({ names }: { names: readonly string[] }) => (
  <ul>
    {names.slice(0, NAMES_SHOWN_MAX).map((name) => (
      <li key={name}>{name}</li>
    ))}
    {names.length > NAMES_SHOWN_MAX && <li>and {names.length - NAMES_SHOWN_MAX} more</li>}
  </ul>
);

const existing = (resources: readonly WireResource[]): readonly WireResource[] =>
  resources.filter(({ physical_resource_id: id }) => Boolean(id));

const Losses = ({
  resources,
  retained,
}: {
  resources: ActionsProps["resources"];
  retained: readonly string[];
}) => {
  const all = existing(resources).map(({ resource_name }) => resource_name);
  const lost = all.filter((name) => !retained.includes(name));
  const kept = all.filter((name) => retained.includes(name));
  return (
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
};

const DeleteDialog = ({
  session,
  stack,
  resources,
  close,
}: ActionsProps & { close: () => void }) => {
  const client = useMemo(() => clientOf(session), [session]);
  const template = useLive(
    `template/${stack.id}`,
    () => readTemplate(client, stack),
    () => false,
  );
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string | null>(null);
  const fieldId = useId();
  const confirm = async (): Promise<void> => {
    try {
      await remove(client, stack);
      location.hash = hashOf({ screen: "stacks" });
    } catch (failure) {
      setError(textOf(failure));
    }
  };
  const known = template.value !== null;
  return (
    <Dialog title={`Delete ${stack.stack_name}?`} close={close}>
      <Failure text={error ?? template.error} />
      {!known && template.error === null && <Waiting />}
      {known && <Losses resources={resources} retained={retainedIn(template.value)} />}
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
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
          <button type="submit" class="danger" disabled={!known || typed !== stack.stack_name}>
            Delete
          </button>
          <button type="button" class="plain" onClick={close}>
            Keep it
          </button>
        </div>
      </form>
    </Dialog>
  );
};

export const StackActions = (
  props: ActionsProps & { route: Extract<Route, { screen: "stack" }> },
) => {
  const { session, stack, route } = props;
  const client = useMemo(() => clientOf(session), [session]);
  const actions = actionsFor(stack.stack_status);
  const [asks, setAsks] = useState(false);
  const { busy, error, run } = useWork();
  return (
    <>
      <div class="row-of-buttons actions">
        <a class="button" href={hashOf({ screen: "update", name: route.name, id: route.id })}>
          Update
        </a>
        {actions.includes("check") && (
          <a
            class={stack.stack_status === "CHECK_FAILED" ? "button" : "button plain"}
            href={hashOf({ screen: "repair", name: route.name, id: route.id })}
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
            onClick={() => void run(() => act(client, stack, action))}
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
