import { useId, useState } from "preact/hooks";
import { useWork } from "./hooks.ts";
import { Failure } from "./parts.tsx";
import { clientOf, type Session } from "./session.ts";
import {
  type Resolution,
  type ResourceDetail,
  resolveOutcome,
  type StackName,
} from "./stack-data.ts";

interface OutcomeProps {
  readonly session: Session;
  readonly stack: StackName;
  readonly resource: ResourceDetail;
}

export const UnknownOutcome = ({ session, stack, resource }: OutcomeProps) => {
  const [id, setId] = useState("");
  const { busy, error, run } = useWork();
  const fieldId = useId();
  const answer = (given: Resolution): Promise<void> =>
    run(() => resolveOutcome(clientOf(session), stack, resource, given));
  return (
    <section class="outcome" aria-label="Unknown outcome">
      <h3>Did the creation make an object?</h3>
      <Failure text={error} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void answer({ import: id });
        }}
      >
        <p class="field">
          <label for={fieldId}>Yes, with this physical id</label>
          <input
            id={fieldId}
            value={id}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setId(event.currentTarget.value.trim())}
          />
        </p>
        <div class="row-of-buttons">
          <button type="submit" disabled={busy || id === ""}>
            It is this one
          </button>
          <button
            type="button"
            class="plain"
            disabled={busy}
            onClick={() => void answer({ nothing_was_made: true })}
          >
            Nothing was made
          </button>
          <button
            type="button"
            class="plain"
            disabled={busy}
            onClick={() => void answer({ retry: true })}
          >
            Try again
          </button>
        </div>
      </form>
    </section>
  );
};
