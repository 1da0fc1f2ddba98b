import { useState } from "preact/hooks";
import { deploymentPath } from "#client/deployments.ts";
import { Failure } from "./parts.tsx";
import { saveFile } from "./save-file.ts";
import { clientOf, type Session, textOf } from "./session.ts";

/** A browser takes seconds to lay out megabytes. The saved file contains everything. */
const SHOWN_CHARS_MAX = 100_000;

const STREAMS = [
  ["deploy_stdout", "Standard output"],
  ["deploy_stderr", "Standard error"],
] as const;

interface Printed {
  readonly stream: string;
  readonly title: string;
  readonly text: string;
}

const Stream = ({ id, printed }: { id: string; printed: Printed }) => {
  const { stream, title, text } = printed;
  const isCut = text.length > SHOWN_CHARS_MAX;
  return (
    <section aria-label={title}>
      <h3>{isCut ? `${title}, its end` : title}</h3>
      {text === "" ? (
        <p class="quiet">Nothing.</p>
      ) : (
        <>
          <pre class="printed">{text.slice(-SHOWN_CHARS_MAX)}</pre>
          <button
            type="button"
            class="plain"
            onClick={() => saveFile(`${id}-${stream}.txt`, text, "text/plain")}
          >
            Save the {title.toLowerCase()}
          </button>
        </>
      )}
    </section>
  );
};

export const PrintedOutput = ({ session, id }: { session: Session; id: string }) => {
  const [streams, setStreams] = useState<readonly Printed[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const read = async (): Promise<void> => {
    setError(null);
    try {
      const client = clientOf(session);
      const texts = await Promise.all(
        STREAMS.map(async ([stream, title]) => {
          const text = await client.text(`${deploymentPath(id)}/output/${stream}`);
          return { stream, title, text };
        }),
      );
      setStreams(texts);
    } catch (failure) {
      setError(textOf(failure));
    }
  };
  return (
    <>
      <Failure text={error} />
      {streams === null ? (
        <button type="button" class="plain" onClick={() => void read()}>
          Show what it printed
        </button>
      ) : (
        streams.map((printed) => <Stream key={printed.stream} id={id} printed={printed} />)
      )}
    </>
  );
};
