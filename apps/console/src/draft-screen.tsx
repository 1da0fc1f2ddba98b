import { useEffect, useId, useMemo, useState } from "preact/hooks";
import { wordsOf } from "./completion-words.ts";
import {
  apply,
  type Draft,
  type ForeseenDraft,
  faultsOf,
  movedText,
  type Parameter,
  preview,
  type Verdict,
  validate,
} from "./draft.ts";
import { type Fault, placedFaults } from "./fault-places.ts";
import { ForeseenSection } from "./foreseen-section.tsx";
import { useModule } from "./loaded-module.ts";
import { Failure, Waiting } from "./parts.tsx";
import { hashOf } from "./route.ts";
import { clientOf, type Session, textOf } from "./session.ts";
import type { Stack } from "./stack-data.ts";

/** After this pause in typing the template is validated. */
const VALIDATE_MS = 500;

const loadEditor = () => import("./template-editor.tsx");

interface DraftProps {
  readonly session: Session;
  /** As it was when the draft began, or null for a new stack. */
  readonly stack: Stack | null;
  readonly begin: string;
  readonly current: ReadonlyMap<string, string>;
}

const useVerdict = (session: Session, template: string) => {
  const client = useMemo(() => clientOf(session), [session]);
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [judged, setJudged] = useState(template);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      validate(client, template).then(
        (found) => {
          if (!isCurrent) return;
          // A template with a fault probably still has its former parameters.
          setVerdict((old) =>
            found.faults.length > 0 && old !== null ? { ...old, faults: found.faults } : found,
          );
          setJudged(template);
          setError(null);
        },
        (failure) => {
          if (isCurrent) setError(textOf(failure));
        },
      );
    }, VALIDATE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [client, template]);
  return { verdict, error, isOld: judged !== template };
};

const hintOf = ({ Default: value }: Parameter, current: string | undefined): string => {
  if (current !== undefined) return `now: ${current}`;
  if (value === undefined || value === "") return "";
  return `default: ${typeof value === "string" ? value : JSON.stringify(value)}`;
};

interface InputProps {
  readonly id: string;
  readonly parameter: Parameter;
  readonly hint: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

const ParameterInput = ({ id, parameter, hint, value, change }: InputProps) => {
  const given = {
    id,
    value,
    placeholder: hint,
    spellcheck: false,
    autocomplete: "off",
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      change(currentTarget.value),
  } as const;
  const isHidden = parameter.NoEcho === "true";
  return isHidden ? <input type="password" {...given} /> : <input type="text" {...given} />;
};

const ParameterField = ({
  name,
  parameter,
  value,
  current,
  change,
}: {
  name: string;
  parameter: Parameter;
  value: string;
  current: string | undefined;
  change: (value: string) => void;
}) => {
  const id = useId();
  const hint = hintOf(parameter, current);
  const choices = parameter.AllowedValues ?? [];
  return (
    <p class="field">
      <label for={id}>{parameter.Label || name}</label>
      {parameter.Description && <span class="help">{parameter.Description}</span>}
      {choices.length > 0 ? (
        <select id={id} value={value} onChange={(event) => change(event.currentTarget.value)}>
          <option value="">{hint || "choose"}</option>
          {choices.map((choice) => (
            <option key={String(choice)}>{String(choice)}</option>
          ))}
        </select>
      ) : (
        <ParameterInput id={id} parameter={parameter} hint={hint} value={value} change={change} />
      )}
    </p>
  );
};

const NameField = ({ name, change }: { name: string; change: (name: string) => void }) => {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>Name of the stack</label>
      <input
        id={id}
        value={name}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => change(value.trim())}
      />
    </p>
  );
};

/** `isOld` says that the text has changed since, so the lines may have moved. */
const Faults = ({ faults, isOld = false }: { faults: readonly Fault[]; isOld?: boolean }) =>
  faults.length === 0 ? null : (
    <div class={isOld ? "failure old" : "failure"} role="alert" aria-busy={isOld}>
      <ul>
        {faults.map(({ text, place }) => (
          <li key={text}>
            {place !== null && <strong>Line {place.line}: </strong>}
            {text}
          </li>
        ))}
      </ul>
    </div>
  );

interface Outcome {
  readonly draft: Draft;
  readonly foreseen: ForeseenDraft | null;
  readonly faults: readonly Fault[];
  /** Why the preview can no longer be applied. */
  readonly moved: string | null;
}

const useOutcome = (session: Session, stack: Stack | null) => {
  const client = useMemo(() => clientOf(session), [session]);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [busy, setBusy] = useState(false);
  const run = async (draft: Draft, work: () => Promise<ForeseenDraft | null>) => {
    setBusy(true);
    try {
      setOutcome({ draft, foreseen: await work(), faults: [], moved: null });
    } catch (error) {
      const moved = movedText(error);
      const texts = faultsOf(error) ?? [textOf(error)];
      const faults = placedFaults(draft.template, texts);
      setOutcome((old) =>
        moved !== null && old !== null
          ? { ...old, moved }
          : { draft, foreseen: null, faults, moved: null },
      );
    }
    setBusy(false);
  };
  return {
    outcome,
    busy,
    preview: (draft: Draft) => run(draft, () => preview(client, stack, draft)),
    apply: (draft: Draft, { basis }: ForeseenDraft) =>
      run(draft, async () => {
        const { stack_name: name, id } = await apply(client, stack, draft, basis);
        location.hash = hashOf({ screen: "stack", name, id, tab: "graph", resource: null });
        return null;
      }),
  };
};

const NONE: readonly Fault[] = [];

export const DraftScreen = ({ session, stack, begin, current }: DraftProps) => {
  const words = useMemo(() => wordsOf(clientOf(session)), [session]);
  const { module, error: loadError } = useModule(loadEditor);
  const [draft, setDraft] = useState<Draft>({ name: "", template: begin, parameters: new Map() });
  const { verdict, error, isOld } = useVerdict(session, draft.template);
  const { outcome, busy, ...run } = useOutcome(session, stack);
  const isPreviewed = outcome?.draft === draft;
  const foreseen = isPreviewed ? outcome.foreseen : null;
  const mayRun = !busy && (stack !== null || draft.name !== "");
  const give = (name: string, value: string): void =>
    setDraft({ ...draft, parameters: new Map([...draft.parameters, [name, value]]) });
  const hasMoved = Boolean(outcome?.moved);
  const proceedWord = hasMoved ? "Preview again" : stack === null ? "Create" : "Apply";
  const proceed = (shown: ForeseenDraft) => () =>
    void (hasMoved ? run.preview(draft) : run.apply(draft, shown));
  return (
    <div class="draft">
      <section class="draft-template" aria-label="Template">
        <Failure text={loadError} />
        {module === null && loadError === null && <Waiting />}
        {module !== null && (
          <module.TemplateEditor
            text={begin}
            label="Template"
            faults={verdict?.faults ?? NONE}
            words={words}
            changed={(template) => setDraft((old) => ({ ...old, template }))}
          />
        )}
        <Failure text={error} />
        <Faults faults={verdict?.faults ?? NONE} isOld={isOld} />
      </section>
      <form
        class="draft-form"
        onSubmit={(event) => {
          event.preventDefault();
          void run.preview(draft);
        }}
      >
        {stack === null && (
          <NameField name={draft.name} change={(name) => setDraft({ ...draft, name })} />
        )}
        {[...(verdict?.parameters ?? [])].map(([name, parameter]) => (
          <ParameterField
            key={name}
            name={name}
            parameter={parameter}
            value={draft.parameters.get(name) ?? ""}
            current={current.get(name)}
            change={(value) => give(name, value)}
          />
        ))}
        <Faults faults={isPreviewed ? outcome.faults : NONE} />
        <div class="row-of-buttons">
          <button type="submit" class={foreseen === null ? "" : "plain"} disabled={!mayRun}>
            Preview
          </button>
        </div>
      </form>
      {foreseen !== null && (
        <ForeseenSection foreseen={foreseen}>
          <Failure text={outcome?.moved ?? null} />
          <button type="button" disabled={!mayRun} onClick={proceed(foreseen)}>
            {proceedWord}
          </button>
        </ForeseenSection>
      )}
    </div>
  );
};
