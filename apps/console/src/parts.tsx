import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Progress, progressText, signOfTone, type Tone, toneOf, wordsOf } from "./status.ts";
import { agoText, dateText } from "./time.ts";

const TICK_MS = 10_000;

export const Pill = ({ tone, status }: { tone: Tone; status: string }) => (
  <span class={`status ${tone}`}>
    <span aria-hidden="true">{signOfTone(tone)}</span> {wordsOf(status)}
  </span>
);

export const Status = ({ status }: { status: string }) => (
  <Pill tone={toneOf(status)} status={status} />
);

export const ProgressText = ({ progress }: { progress: Progress | undefined }) =>
  progress === undefined ? null : <span class="progress">{progressText(progress)}</span>;

export const Failure = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p class="failure" role="alert">
      {text}
    </p>
  );

export const When = ({ iso }: { iso: string | null | undefined }) => {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((ticks) => ticks + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  if (!iso) return <span class="quiet">–</span>;
  return (
    <time dateTime={iso} title={dateText(iso)}>
      {agoText(iso, Date.now())}
    </time>
  );
};

export const Waiting = () => <p class="quiet">Reading…</p>;

export const Dialog = ({
  title,
  close,
  children,
}: {
  title: string;
  close: () => void;
  children: ComponentChildren;
}) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="dialog-title">
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
};
