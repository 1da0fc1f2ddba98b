import { useId, useState } from "preact/hooks";
import { Failure } from "./parts.tsx";
import { greet, isUnauthorized, type Session, textOf } from "./session.ts";

/** The default of the command line, so that its stacks show at once. */
const PROJECT_DEFAULT = "demo";

const fieldOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
};

export const SignIn = ({ enter }: { enter: (session: Session) => void }) => {
  const [wantsToken, setWantsToken] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const [projectId, tokenId] = [useId(), useId()];

  const submit = async (form: FormData): Promise<void> => {
    const token = fieldOf(form, "token");
    const session = {
      project: fieldOf(form, "project") || PROJECT_DEFAULT,
      token: token === "" ? null : token,
    };
    setAsking(true);
    try {
      await greet(session);
      enter(session);
    } catch (failure) {
      const asksForToken = isUnauthorized(failure);
      setWantsToken(wantsToken || asksForToken);
      const isFirst = asksForToken && session.token === null && !wantsToken;
      setError(isFirst ? null : textOf(failure));
    }
    setAsking(false);
  };

  return (
    <main class="sign-in">
      <h1>Hearth</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(new FormData(event.currentTarget));
        }}
      >
        <label for={projectId}>Project</label>
        <input
          id={projectId}
          name="project"
          defaultValue={PROJECT_DEFAULT}
          autocomplete="organization"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        {wantsToken && (
          <>
            <label for={tokenId}>Token</label>
            <input
              id={tokenId}
              name="token"
              type="password"
              autocomplete="off"
              required
              aria-describedby={`${tokenId}-help`}
            />
            <p id={`${tokenId}-help`} class="help">
              This server asks for a token. <code>hearth token create</code> makes one, and on AWS{" "}
              <code>hearth aws api-token</code>. The console forgets it when you close this tab.
            </p>
          </>
        )}
        <Failure text={error} />
        <button type="submit" disabled={asking}>
          {asking ? "Asking…" : "Enter"}
        </button>
      </form>
    </main>
  );
};
