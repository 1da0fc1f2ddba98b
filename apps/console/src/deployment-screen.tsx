import { useId, useMemo, useState } from "preact/hooks";
import type { ShownDiagnosis } from "#client/deployments.ts";
import {
  actOnRun,
  deploymentTone,
  type Light,
  lightsOf,
  readDiagnosis,
  setResult,
} from "./deployments.ts";
import { useLive, useRepeated, useWork } from "./hooks.ts";
import { Dialog, Failure, Pill, Waiting, When } from "./parts.tsx";
import { PrintedOutput } from "./printed-output.tsx";
import { hashOf } from "./route.ts";
import { clientOf, type Session, textOf } from "./session.ts";
import { readName } from "./stack-data.ts";

const LOOK_MS = 2_000;

const LIGHT_WORDS: Readonly<Record<Light["state"], string>> = {
  on: "reached",
  current: "here now",
  off: "not yet",
  unseen: "not seen",
  failed: "failed",
};

const Lights = ({ lights }: { lights: readonly Light[] }) => (
  <ol class="lights" aria-label="The way of the deployment">
    {lights.map(({ label, state, time }) => (
      <li key={label} class={state}>
        <span class="light" aria-hidden="true" />
        <strong>{label}</strong>
        <span class="help">{time === null ? LIGHT_WORDS[state] : <When iso={time} />}</span>
      </li>
    ))}
  </ol>
);

const Verdict = ({ diagnosis: { verdict, warnings, status } }: { diagnosis: ShownDiagnosis }) => (
  <section
    aria-label="Verdict"
    class={`verdict ${verdict.stage === null ? deploymentTone(status) : "stuck"}`}
  >
    <p class="summary">
      {verdict.certain ? "" : "Probably: "}
      {verdict.summary}
    </p>
    {verdict.advice.length > 0 && (
      <ul>
        {verdict.advice.map((advice) => (
          <li key={advice}>{advice}</li>
        ))}
      </ul>
    )}
    {warnings.map((warning) => (
      <p key={warning}>{warning}</p>
    ))}
  </section>
);

const Output = ({ diagnosis: { output_tail: tail } }: { diagnosis: ShownDiagnosis }) => {
  const parts = [
    ["Standard output", tail?.deploy_stdout],
    ["Standard error", tail?.deploy_stderr],
  ] as const;
  return (
    <>
      {parts.map(
        ([title, text]) =>
          text && (
            <section key={title} aria-label={title}>
              <h3>{title}, its end</h3>
              <pre class="printed">{text}</pre>
            </section>
          ),
      )}
    </>
  );
};

const Server = ({
  diagnosis: { server, server_id: id, server_name: name },
}: {
  diagnosis: ShownDiagnosis;
}) => (
  <dl class="facts">
    <dt>Server</dt>
    <dd>
      {name} <span class="id">{id}</span>
    </dd>
    {server?.status && (
      <>
        <dt>Its status</dt>
        <dd>
          {server.status} {server.fault}
        </dd>
      </>
    )}
    <dt>Last heard of</dt>
    <dd>{server?.last_poll ? <When iso={server.last_poll} /> : "not yet"}</dd>
  </dl>
);

const StackLink = ({ session, diagnosis }: { session: Session; diagnosis: ShownDiagnosis }) => {
  const client = useMemo(() => clientOf(session), [session]);
  const { stack_id: id, resource_name: resource } = diagnosis;
  const { value: name } = useLive(
    `stack-of/${id}`,
    async () => (id ? readName(client, id) : null),
    () => false,
  );
  if (!id || !name) return null;
  return (
    <a href={hashOf({ screen: "stack", name, id, tab: "graph", resource: resource ?? null })}>
      {name}
    </a>
  );
};

interface ActionProps {
  readonly session: Session;
  readonly diagnosis: ShownDiagnosis;
  readonly done: () => void;
}

const ResultDialog = ({ session, diagnosis, done, close }: ActionProps & { close: () => void }) => {
  // Meanwhile the page may show another run, which nobody has judged.
  const [judged] = useState(diagnosis);
  const [reason, setReason] = useState("");
  const [error, setError] = useState<string | null>(null);
  const reasonId = useId();
  const give = async (status: "COMPLETE" | "FAILED"): Promise<void> => {
    try {
      await setResult(clientOf(session), judged, { status, reason });
      done();
      close();
    } catch (failure) {
      setError(textOf(failure));
    }
  };
  return (
    <Dialog title="Set the result" close={close}>
      <p>Do this only if the server cannot tell it itself. The stack goes on with what you say.</p>
      <Failure text={error} />
      <p class="field">
        <label for={reasonId}>Reason</label>
        <input
          id={reasonId}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </p>
      <div class="row-of-buttons">
        <button type="button" onClick={() => void give("COMPLETE")}>
          It is complete
        </button>
        <button type="button" class="danger" onClick={() => void give("FAILED")}>
          It has failed
        </button>
        <button type="button" class="plain" onClick={close}>
          Neither
        </button>
      </div>
    </Dialog>
  );
};

const DeploymentActions = (props: ActionProps) => {
  const { session, diagnosis, done } = props;
  const [asks, setAsks] = useState(false);
  const { busy, error, run } = useWork();
  const send = (verb: Parameters<typeof actOnRun>[2]): Promise<void> =>
    run(() => actOnRun(clientOf(session), diagnosis, verb).finally(done));
  return (
    <>
      <div class="row-of-buttons actions">
        {diagnosis.status !== "IN_PROGRESS" && (
          <button
            type="button"
            class="plain"
            title="Begins an update of its stack, and changes nothing else"
            disabled={busy}
            onClick={() => void send("run_again")}
          >
            Run again
          </button>
        )}
        {diagnosis.status === "IN_PROGRESS" && (
          <>
            <button type="button" class="plain" disabled={busy} onClick={() => void send("retry")}>
              Retry
            </button>
            <button type="button" class="plain" disabled={busy} onClick={() => void send("stop")}>
              Stop the run
            </button>
            <button type="button" class="plain" onClick={() => setAsks(true)}>
              Set the result
            </button>
          </>
        )}
      </div>
      <Failure text={error} />
      {asks && <ResultDialog {...props} close={() => setAsks(false)} />}
    </>
  );
};

export const DeploymentScreen = ({ session, id }: { session: Session; id: string }) => {
  const client = useMemo(() => clientOf(session), [session]);
  const { value, error, reload } = useLive(`deployment/${id}`, () => readDiagnosis(client, id));
  useRepeated(reload, LOOK_MS, value?.status === "IN_PROGRESS");
  return (
    <>
      <p>
        <a href={hashOf({ screen: "deployments" })}>All deployments</a>
      </p>
      <Failure text={error} />
      {value === null && error === null && <Waiting />}
      {value !== null && (
        <>
          <div class="heading">
            <h1>{value.resource_name ?? value.deployment_id}</h1>
            <Pill tone={deploymentTone(value.status)} status={`${value.action}_${value.status}`} />
            <StackLink session={session} diagnosis={value} />
          </div>
          <Lights lights={lightsOf(value)} />
          <Verdict diagnosis={value} />
          <DeploymentActions session={session} diagnosis={value} done={reload} />
          {value.status === "IN_PROGRESS" ? (
            <Output diagnosis={value} />
          ) : (
            <PrintedOutput key={value.status} session={session} id={id} />
          )}
          <Server diagnosis={value} />
        </>
      )}
    </>
  );
};
